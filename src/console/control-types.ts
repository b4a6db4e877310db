import type { ControlResult } from '../control/operations.js'

export type Overview = ControlResult<'getOverview'>
export type QuotaState = ControlResult<'getQuota'>
export type JournalEntry = ControlResult<'listRequests'>[number]
export type ScenarioSummary = ControlResult<'listScenarios'>[number]
