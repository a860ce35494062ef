import { deployedOrder } from '../environments/deployed-order.ts';
import { versionScheme } from '../versions/versions.ts';

/**
 * Kind of change to the deployed version of a service in an environment. `deployed` is for the first version.
 */
export type DeploymentChange = 'deployed' | 'upgraded' | 'rolledback';

/**
 * Compares a deployed version with the previous one. Versions that can't be compared, such as commits, count
 * as an upgrade, because most deployments are one.
 */
export function deploymentChange(version: string, previous: string | null): DeploymentChange {
  if (previous === null) return 'deployed';
  const difference = deployedOrder(versionScheme('auto'), [version, previous]).compare(version, previous);
  return difference !== null && difference < 0 ? 'rolledback' : 'upgraded';
}
