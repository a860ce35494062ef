/**
 * What is compared, and how far behind is too far.
 *
 * - A *rule* says by which measure and thresholds.
 * - An *alert configuration* links what is deployed, what exists and a rule. It is a due row: due when something
 *   that it compares has changed, or when time alone changes the answer.
 * - An *evaluation* decides in pure code and writes what changed; alerts follow from it.
 */
export { alertConfigAccess } from './alert-configs/alert-config-access.ts';
export { alertConfigEdits, checkAlertConfig, toAlertConfig } from './alert-configs/alert-config-edits.ts';
export { alertConfigHandlers } from './alert-configs/alert-config-handlers.ts';
export {
  behindByNow,
  deleteAlertConfigs,
  findAlertConfig,
} from './alert-configs/alert-config-queries.ts';
export { startEvaluationLoop } from './evaluation/evaluate-due-configs.ts';
export { evaluateHandlers } from './evaluation/evaluate-request.ts';
export { isEvaluatedByThisReading } from './evaluation/evaluation-queries.ts';
export { createReleaseCache, type ReleaseCache } from './evaluation/release-cache.ts';
export { announceServer, isReadingInUse } from './evaluation/serving-servers.ts';
export { checkNewRule, ruleEdits, toRule } from './rules/rule-edits.ts';
export { ruleHandlers } from './rules/rule-handlers.ts';
export { findRule } from './rules/rule-queries.ts';
export {
  evaluationMarks,
  evaluationsDue,
  triggerEvaluation,
  triggerEvaluationsAcrossOrganizations,
} from './trigger-evaluation.ts';
