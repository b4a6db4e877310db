import { http as httpOfMsw } from 'msw'

/** The same export as that of `msw/core/http`, for an msw or a runtime without that path. */
export const http = httpOfMsw
