import { http as httpOfMsw } from 'msw'

/** The export of `msw/core/http`, for versions of msw and runtimes without this path. */
export const http = httpOfMsw
