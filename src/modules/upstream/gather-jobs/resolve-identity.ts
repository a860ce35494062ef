import { isDeepStrictEqual } from 'node:util';
import { type ArtifactAlias, upstreamOf } from '../../../domain/identity/artifact-aliases.ts';
import {
  deriveProjectUrl,
  derivePurls,
  maxPurls,
  normalizePurls,
} from '../../../domain/identity/job-identity.ts';
import { normalizeProjectUrl } from '../../../domain/identity/project-url.ts';
import type { SourceTypeId } from '../../../domain/source-types/source-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { invalidField } from '../../../platform/errors.ts';

type GatherJob = Schemas['GatherJob'];

/**
 * Source of a job and the identifiers that other data uses for the same software. In a request, `null` means
 * that the value is derived.
 */
export interface RequestedIdentity {
  source_type: SourceTypeId;
  artifact_name: string;
  purls: string[] | null;
  project_url: string | null;
}

export interface Identity extends Pick<GatherJob, 'purls' | 'purls_source' | 'project_url' | 'mirror_of'> {
  project_url_source: GatherJob['project_url_source'];
}

/** Identity as stored, and the source from which it's derived. */
export type StoredIdentity = Identity & Pick<RequestedIdentity, 'source_type' | 'artifact_name'>;

/**
 * Returns the identity to store for a request. A derived value that a client sends back unchanged stays
 * derived, so it follows later changes to the source.
 *
 * @param aliases Aliases of the organization. A mirror has the identity of the upstream that it copies.
 */
export function resolveIdentity(
  wanted: RequestedIdentity,
  aliases: readonly ArtifactAlias[],
  before?: StoredIdentity,
): Identity {
  return {
    ...resolvePurls(wanted, aliases, before),
    ...resolveProjectUrl(wanted, aliases, before),
    mirror_of: upstreamOf(wanted, aliases)?.artifact_name ?? null,
  };
}

function resolvePurls(
  wanted: RequestedIdentity,
  aliases: readonly ArtifactAlias[],
  before?: StoredIdentity,
): Pick<Identity, 'purls' | 'purls_source'> {
  const isDerived =
    wanted.purls === null || (before?.purls_source === 'derived' && isSamePurls(wanted.purls, before.purls));
  if (isDerived) return { purls: derivePurls(wanted, aliases), purls_source: 'derived' };
  return { purls: wanted.purls!, purls_source: 'set' };
}

/**
 * True if the package URLs of a request are those that are stored. Requests contain them in normalized form, and
 * two derived package URLs can be the same one then, such as those of an image on Docker Hub.
 */
function isSamePurls(wanted: readonly string[], stored: readonly string[]): boolean {
  const normalized = normalizePurls(stored);
  return isDeepStrictEqual(wanted, normalized.ok ? normalized.purls : stored);
}

function resolveProjectUrl(
  wanted: RequestedIdentity,
  aliases: readonly ArtifactAlias[],
  before?: StoredIdentity,
): Pick<Identity, 'project_url' | 'project_url_source'> {
  const wasDerived = before !== undefined && before.project_url_source !== 'set';
  if (wanted.project_url !== null && !(wasDerived && wanted.project_url === before.project_url))
    return { project_url: wanted.project_url, project_url_source: 'set' };
  const derived = deriveProjectUrl(wanted, aliases);
  if (derived !== null) return { project_url: derived, project_url_source: 'source' };
  const isSameSource =
    before?.source_type === wanted.source_type && before.artifact_name === wanted.artifact_name;
  // Keep the URL that a run found for the same source.
  if (wasDerived && isSameSource)
    return { project_url: before.project_url, project_url_source: before.project_url_source };
  return { project_url: null, project_url_source: null };
}

type IdentityFields = RequestedIdentity & Pick<GatherJob, 'version_of'>;

/** Returns the package URLs in their normalized form. Throws 400 if one of them is invalid. */
export function checkPurls({ purls }: Pick<IdentityFields, 'purls'>): string[] | null {
  if (purls === null) return null;
  const normalized = normalizePurls(purls);
  if (!normalized.ok) throw invalidField(`purls.${normalized.index}`, normalized.message);
  return normalized.purls.slice(0, maxPurls);
}

/** Returns the project URL in its normalized form. Throws 400 if the URL is invalid. */
export function checkProjectUrl({ project_url }: Pick<IdentityFields, 'project_url'>): string | null {
  if (project_url === null) return null;
  const project = normalizeProjectUrl(project_url);
  if (!project.ok) throw invalidField('project_url', project.message);
  return project.url;
}

export function checkVersionOf({ version_of, source_type }: IdentityFields): void {
  if (version_of === 'application' && source_type !== 'helm_repository')
    throw invalidField(
      'version_of',
      'only releases of helm_repository name the version of an application; use artifact',
    );
}
