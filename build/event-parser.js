// The part of eventsource-parser that the package uses. docs/decisions.md has the reasons.

/** What only a caller needs that handles errors and `retry` fields, or that resets the parser. */
const unused = [
  /class ParseError [\s\S]*?\n\}\n/,
  / {2}if \(typeof callbacks [\s\S]*?\);\n/,
  / {6}case "retry":[\s\S]*(?=\n {4}\}\n {2}\}\n {2}function dispatchEvent)/,
  / {2}function reset\([\s\S]*?\n {2}\}\n/,
  /, reset(?= \};)/,
  / {2}ParseError,\n/,
]

/** Creates a plugin that removes them. The build fails if the parser does not have them. */
export function reduceEventParser() {
  return {
    name: 'reduce-event-parser',
    transform(code, id) {
      if (!id.endsWith('/eventsource-parser/dist/index.js')) return undefined
      return unused.reduce((rest, part) => {
        if (part.test(rest)) return rest.replace(part, '')
        throw new Error(`build/event-parser.js does not find ${part} in ${id}`)
      }, code)
    },
  }
}
