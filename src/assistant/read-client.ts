import type { ApiClient, ApiOperationId } from '../client/api-client.ts';

/**
 * Operations that tools call. A viewer's key is allowed to call all of them, because none of them writes.
 * `simulateRule` is a POST only because its input is a body.
 */
export const readOperations = [
  'getAlert',
  'getAlertConfig',
  'getAlertConfigExplanation',
  'getAlertConfigReleaseNotes',
  'getCaller',
  'getEnvironmentMatrix',
  'getGatherJob',
  'getGatherJobReleaseNotes',
  'getRelease',
  'getSoftwareLabels',
  'getSupport',
  'getUpgrade',
  'listAlertConfigs',
  'listExposures',
  'listGatherJobs',
  'listReleases',
  'listRules',
  'listSoftware',
  'listUpgradePlaces',
  'listUpgrades',
  'simulateRule',
] as const satisfies readonly ApiOperationId[];

/** API client with only these operations, so that a tool that writes doesn't compile. */
export type ReadClient = ApiClient<(typeof readOperations)[number]>;
