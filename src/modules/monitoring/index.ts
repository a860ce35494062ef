/**
 * Compares deployed versions with releases, and decides when an alert is required.
 *
 * - A *rule* defines a measure and its thresholds.
 * - An *alert configuration* links a scrape job, a gather job, and a rule. It's a *due row*, which becomes
 *   due when an input of its comparison has changed, or when the result changes because time has passed.
 * - An *evaluation* decides in pure code and writes the changes. Alerts follow from it.
 * - A *simulation* replays the past with a rule that isn't stored, in a separate thread, and writes nothing.
 *   A *forecast* does the same for the future. A *calendar* is a forecast that calendar applications can
 *   subscribe to.
 */
export { alertConfigAccess } from './alert-configs/alert-config-access.ts';
export {
  alertConfigEdits,
  checkAlertConfig,
  toAlertConfig,
} from './alert-configs/alert-config-edits.ts';
export { alertConfigHandlers } from './alert-configs/alert-config-handlers.ts';
export {
  type AlertConfigRow,
  alertConfigOf,
  behindByNow,
  countedSinceSql,
  daysLeftNow,
  deleteAlertConfigs,
  findAlertConfig,
  markNotMonitored,
} from './alert-configs/alert-config-queries.ts';
export { configsWithLabel, repairLabeledConfigRows } from './alert-configs/labeled-configs.ts';
export { candidatePattern } from './evaluation/candidate-pattern.ts';
export { startEvaluationLoop } from './evaluation/evaluate-due-configs.ts';
export { evaluateHandlers } from './evaluation/evaluate-request.ts';
export {
  type EvaluatedDeployed,
  evaluatedDeployedSql,
  evaluatedLookupVersion,
} from './evaluation/evaluated-deployed.ts';
export { isEvaluatedWithThisParser } from './evaluation/evaluation-queries.ts';
export {
  createEvaluationTurnScheduler,
  maxConfigsWithoutTurn as maxWithoutTurn,
  runChangeInTurn as changeInTurn,
  type TurnDeps,
} from './evaluation/evaluation-turns.ts';
export {
  type DerivedProduct,
  derivedProductSql,
  lifecycleProductSql,
} from './evaluation/lifecycle-product-of.ts';
export { listDoubtReason } from './evaluation/list-doubt.ts';
export { createReleaseCache, type ReleaseCache } from './evaluation/release-cache.ts';
export { isOldestRunningParser, registerServer } from './evaluation/serving-servers.ts';
export { readApplicationVersions, readSupportLines } from './evaluation/support-queries.ts';
export {
  type DerivedPackages,
  derivedPackagesSql,
  vulnerabilityPackagesSql,
} from './evaluation/vulnerability-packages-of.ts';
export {
  readAdvisories,
  toIgnored,
  toKnownVulnerabilities,
  type VulnerabilityRow,
  vulnerabilityRowSql,
} from './evaluation/vulnerability-queries.ts';
export { createFleetMetrics } from './fleet-metrics.ts';
export type { CalendarFeed } from './forecast/crossing-calendar.ts';
export { forecastHandlers } from './forecast/forecast-handlers.ts';
export { type MirrorRow, mirrorColumns, toMirror } from './mirror-row.ts';
export { patchTimesHandlers } from './patch-times/patch-times-handlers.ts';
export { toRequestedRule, unstoredRuleId, withFieldPrefix } from './rules/given-rule.ts';
export { previewAlerts, rulePreviewHandlers } from './rules/preview-handlers.ts';
export { checkNewRule, ruleEdits, toRule } from './rules/rule-edits.ts';
export { ruleHandlers } from './rules/rule-handlers.ts';
export { findRule } from './rules/rule-queries.ts';
export { readVersionChanges } from './simulation/read-version-changes.ts';
export { simulationHandlers } from './simulation/simulation-handlers.ts';
export { type SimulatedConfig, selectConfigs } from './simulation/simulation-queries.ts';
export { createSimulations, type Simulations } from './simulation/simulations.ts';
export { isStillDeployed } from './still-deployed.ts';
export { createSupportCalendar, type SupportCalendarRequest } from './support/support-calendar.ts';
export { supportEndHandlers } from './support/support-end-handlers.ts';
export {
  dueEvaluationsTable,
  isCauseOver,
  markDueStatement,
  triggerEvaluation,
  triggerEvaluationsAcrossOrganizations,
} from './trigger-evaluation.ts';
export {
  toUnconfirmedVersion,
  type UnconfirmedRow,
  unconfirmedColumns,
} from './unconfirmed-version.ts';
