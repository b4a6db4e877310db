export function startWatch(serverPid: number): () => number
