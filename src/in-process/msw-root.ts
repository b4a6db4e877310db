/** The same export as `msw/core/http`, for a msw or a runtime without that path. */
export { http } from 'msw'
