import type { Schemas } from '../../generated/client-api.ts';
import { hasSqlState } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import type { Sandbox } from '../../platform/sandbox/index.ts';
import type { TurnDeps } from '../monitoring/index.ts';
import { type DeploymentRow, listDeployments } from './deployment-queries.ts';
import { readComponents, reportComponents } from './report-components.ts';
import { assertReportable, type Report, reportDeployment } from './report-deployment.ts';
import { reportDeploymentEvent } from './report-event.ts';

export function deploymentHandlers(
  deps: TurnDeps & { baseUrl: string; sandbox: Pick<Sandbox, 'run'> },
): Handlers<'listDeployments' | 'reportDeployment' | 'reportDeploymentEvent'> {
  return {
    async listDeployments({ caller, query }) {
      const page = await listDeployments(deps.db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toDeployment) } };
    },

    async reportDeployment(request) {
      const { caller, body } = request;
      assertReportable(caller, body);
      const store = async (report: Report) =>
        toResponse(await conflictIfTaken(reportDeployment(deps, request, report)));
      // An invalid document is rejected before anything is stored.
      const found = await readComponents(deps, caller.organizationId, body);
      const stored = await store(body);
      return { status: 200, body: { ...stored, components: await reportComponents(found, store) } };
    },

    async reportDeploymentEvent(request) {
      const stored = await conflictIfTaken(reportDeploymentEvent(deps, request));
      return stored === null ? { status: 204 } : { status: 200, body: toResponse(stored) };
    },
  };
}

function toResponse({
  row,
  ...body
}: Awaited<ReturnType<typeof reportDeployment>>): Schemas['ReportDeploymentResponse'] {
  return { deployment: toDeployment(row), ...body, components: [] };
}

async function conflictIfTaken<Stored>(report: Promise<Stored>): Promise<Stored> {
  try {
    return await report;
  } catch (error) {
    // A person created the same alert configuration, or the same event arrived for another deployment target,
    // at the same time.
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
