export { expect } from '@playwright/test'
export type { InProcessSandbox } from './in-process/sandbox.js'
export { type SandboxFixtures, test } from './testing/playwright.js'
export { type RouteTarget, routeSandbox } from './testing/playwright-route.js'
