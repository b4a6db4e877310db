/// <reference types="vite/client" />

interface ImportMetaEnv {
  /**
   * URL of a sandbox over HTTP, such as http://127.0.0.1:4010. The panel reaches it at the path
   * `/petstore` of the server of the page. If absent, the page mocks itself.
   */
  readonly VITE_SANDBOX_URL?: string
}
