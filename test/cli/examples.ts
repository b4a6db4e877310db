/** Returns the arguments of each example in the help of a command. */
export function readExamples(help: string): string[][] {
  const [, examples = ''] = help.split('\nExamples:\n')
  return examples
    .trim()
    .split('\n')
    .map(splitWords)
    .map(([, ...words]) => words)
}

/** Splits a line as a shell does, with single quotes. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
