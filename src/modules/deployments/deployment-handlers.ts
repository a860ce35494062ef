import type { Schemas } from '../../generated/client-api.ts';
import { hasSqlState, type WakeUps } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import type { TurnDeps } from '../monitoring/index.ts';
import { type DeploymentRow, listDeployments } from './deployment-queries.ts';
import { reportDeployment } from './report-deployment.ts';
import { reportDeploymentEvent } from './report-event.ts';

export function deploymentHandlers(
  deps: TurnDeps & { wakeUps: WakeUps },
): Handlers<'listDeployments' | 'reportDeployment' | 'reportDeploymentEvent'> {
  return {
    async listDeployments({ caller, query }) {
      const page = await listDeployments(deps.db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toDeployment) } };
    },

    reportDeployment: (request) => respond(() => reportDeployment(deps, request, request.body)),

    reportDeploymentEvent: (request) => respond(() => reportDeploymentEvent(deps, request)),
  };
}

async function respond(
  report: () => ReturnType<typeof reportDeployment>,
): Promise<{ status: 200; body: Schemas['ReportDeploymentResponse'] }> {
  try {
    const { row, ...body } = await report();
    return { status: 200, body: { deployment: toDeployment(row), ...body } };
  } catch (error) {
    // A person created the same alert configuration, or the same event for another place arrived, at the same time.
    if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
    throw error;
  }
}

function toDeployment({
  scrape_job_id,
  scrape_job_name,
  commit_sha,
  deployed_at,
  actor_type,
  actor_id,
  actor_name,
  created_at,
  ...row
}: DeploymentRow): Schemas['Deployment'] {
  const at = created_at.toISOString();
  return {
    ...row,
    scrape_job: scrape_job_id === null ? null : { id: scrape_job_id, name: scrape_job_name ?? '' },
    commit: commit_sha,
    time: deployed_at.toISOString(),
    reported_by: { type: actor_type, id: actor_id, name: actor_name },
    created_at: at,
    updated_at: at,
  };
}
