/**
 * An *agent* executes jobs, in this server or elsewhere. It registers with heartbeats, claims *tasks* (runs
 * under a lease), submits its results in parts, and completes or fails each task. Jobs are executed only this
 * way.
 */
export { agentHandlers } from './agent-handlers.ts';
export {
  detectFailingJobsAcrossOrganizations,
  detectRecoveredJobsAcrossOrganizations,
} from './detect-failing-jobs.ts';
export { checkedJobKinds, jobKinds, type OrganizationJobKind, organizationJobKinds } from './job-kinds.ts';
export {
  deleteDeadAgentsAcrossOrganizations,
  notifyOfflineAgentsAcrossOrganizations,
  notifyRecoveredAgentsAcrossOrganizations,
} from './watch-agents.ts';
