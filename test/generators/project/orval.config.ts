/** orval uses the servers of the document only if it is told to. */
export default {
  service: {
    input: process.env.DOCUMENT_URL,
    output: {
      target: 'out/orval.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
}
