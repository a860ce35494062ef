import { findArtifactSources } from '../../../domain/discovery/artifact-sources.ts';
import { createGatherJobFinder, type KnownGatherJob } from '../../../domain/discovery/plan-acceptance.ts';
import type { UpstreamSource } from '../../../domain/discovery/upstream-source.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { readAliases } from '../../settings/index.ts';
import { type CorrectionRow, findCorrectionsOf } from '../model/correction-queries.ts';
import { findActiveGatherJobs } from './acceptance-queries.ts';

/**
 * Gather job of an artifact, or the reason why none was found. `sources` lists the sources that a gather job
 * could read.
 */
export type UpstreamLookup =
  | { job: KnownGatherJob }
  | { reason: 'unknown_artifact' | 'own_software' }
  | { reason: 'no_gather_job' | 'several_gather_jobs'; sources: readonly UpstreamSource[] };

/**
 * Finds the gather job that reads the releases of an artifact. As for a discovered item, a person's
 * correction determines the source. Without a correction, it's the source that the artifact names or mirrors.
 * A gather job of the organization takes precedence over a global one. Never creates a gather job, because no
 * person has confirmed the source.
 */
export async function findUpstream(
  tx: Tx,
  organizationId: number,
  { artifact, version }: { artifact: string; version: string },
): Promise<UpstreamLookup> {
  const { keys, sources: named } = findArtifactSources(
    artifact,
    version,
    await readAliases(tx, organizationId),
  );
  const [correction] = keys.length === 0 ? [] : await findCorrectionsOf(tx, organizationId, keys);
  if (correction?.source_type === null) return { reason: 'own_software' };
  const sources = correction ? [sourceOf(correction)] : named;
  if (sources.length === 0) return { reason: 'unknown_artifact' };
  const find = createGatherJobFinder(
    await findActiveGatherJobs(tx, organizationId, {
      artifactNames: [...new Set(sources.flatMap(({ artifact_name: name }) => [name, name.toLowerCase()]))],
    }),
  );
  const found = new Map(
    sources.flatMap((source) => {
      const job =
        find({ source, version }) ?? find({ source: { ...source, version_pattern: null }, version });
      return job === null ? [] : [[job.id, job] as const];
    }),
  );
  const [job, ...others] = found.values();
  if (job === undefined) return { reason: 'no_gather_job', sources };
  return others.length === 0 ? { job } : { reason: 'several_gather_jobs', sources };
}

function sourceOf({ source_type, artifact_name, source_options }: CorrectionRow): UpstreamSource {
  return {
    source_type: source_type!,
    artifact_name: artifact_name!,
    source_options,
    version_pattern: null,
    version_scheme: null,
  };
}
