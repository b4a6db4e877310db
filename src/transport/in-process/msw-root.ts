import { http as httpOfMsw } from 'msw'

/** The export of `msw/core/http`, for an msw or a runtime without that path. */
export const http = httpOfMsw
