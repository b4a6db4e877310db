/** The npm package of a newer Node.js, which msw 3 and vitest 5 require. There is one for each platform. */
export const newerNode = `node-${process.platform}-${process.arch}`
