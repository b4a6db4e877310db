/** The text of a style sheet, with its imports. */
declare module '*.css?inline' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: bundlers export the text as default.
  export default text
}
