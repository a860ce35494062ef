/**
 * An *agent* does the work of jobs, here or elsewhere. It registers by heartbeats, claims *tasks* (runs under a lease),
 * hands in what it found in parts, and completes or fails each task. This is the only way in which jobs are executed.
 */
export { agentHandlers } from './agent-handlers.ts';
export {
  deleteDeadAgentsAcrossOrganizations,
  notifyOfflineAgentsAcrossOrganizations,
} from './watch-agents.ts';
