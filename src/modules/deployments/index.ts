/**
 * A *deployment* is the report that a version of a service was deployed to an environment. It sets the
 * version of a manual scrape job, which the labels of the report identify. The deployments of an organization
 * are its *ledger*.
 */
export { deleteOldDeploymentsAcrossOrganizations } from './delete-old-deployments.ts';
export { deploymentHandlers } from './deployment-handlers.ts';
