/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** A sandbox over HTTP, such as http://127.0.0.1:4010; without it the page is its own sandbox. */
  readonly VITE_SANDBOX_URL?: string
}
