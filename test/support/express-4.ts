import { createRequire } from 'node:module'
import type express from 'express'

const requireOfPackage = createRequire(import.meta.resolve('@mswjs/http-middleware'))

/** Express 4, which is a dependency of @mswjs/http-middleware. */
export const express4: typeof express = requireOfPackage('express')
