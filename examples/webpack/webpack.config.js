import { createSandboxMiddleware } from 'petstore-sandbox/server'

const petstore = await createSandboxMiddleware({ scenario: 'low-stock' })

export default {
  mode: 'development',
  entry: './src/main.js',
  devServer: {
    setupMiddlewares(middlewares) {
      return [{ name: 'petstore', path: '/petstore', middleware: petstore }, ...middlewares]
    },
  },
  plugins: [
    // Ends event streams when the development server stops.
    { apply: ({ hooks }) => hooks.shutdown.tapPromise('petstore', () => petstore.close()) },
  ],
}
