import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReleaseSet } from '../../../../src/domain/rules/release-set.ts';
import {
  type GuessedSource,
  possibleSources,
  preselectedSource,
} from '../../../../src/domain/source-types/guess-source.ts';
import { type SourceTypeId, sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import { joinPlatformWords } from '../../../../src/domain/versions/platform-words.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { toSourceOptions } from '../gather-jobs/source-option-values.ts';
import { toReleaseSet } from './rule-preview.ts';
import type { SoftwareValues } from './software-values.ts';
import type { PreviewTarget } from './use-reference-preview.ts';

type Body = Schemas['PreviewGatherSourceRequest'];
type Preview = Schemas['PreviewGatherSourceResponse'];

const perRequest = 200;
/** Number of releases that a job keeps by default. */
const maxReleases = 1_000;
/** Fallback polling interval if the change stream is disconnected. */
const pollIntervalMs = 5_000;

export interface Source {
  /**
   * Sources that the pasted text can refer to, most likely first. Empty if an existing source is selected.
   */
  candidates: readonly GuessedSource[];
  /** Source that will be added, unless a gather job already reads it. */
  candidate: GuessedSource | null;
  /** Gather job that's used instead of creating one. */
  gatherJob: Schemas['GatherJob'] | undefined;
  gatherJobId: number | null;
  /** Test result for the current candidate, or `null` if it hasn't been tested. */
  preview: Preview | null;
  isTesting: boolean;
  testError: unknown;
  /**
   * Tests the given values, because the form can still have older ones. If the text can refer to several
   * sources, tests them one after another.
   * @param onFound Called with the recognized type if several are possible.
   */
  test(values: SoftwareValues, onFound: (sourceType: SourceTypeId) => void): void;
  /** Returns the input of a rule preview, or `null` if no source is known. */
  targetOf(deployedVersion: string): PreviewTarget;
  /**
   * Returns the ID of the gather job that already reads the source, or `null` if there's none. Tests the source first
   * if necessary.
   */
  settle(values: SoftwareValues): Promise<number | null>;
  /** Releases of the source, or `null` if none are known. */
  releases: ReleaseSet | null;
  /** Versions of the releases, highest first. */
  versions: readonly string[];
}

/** Recognizes pasted text as a source, tests the source, and returns its releases. */
export function useSource(values: SoftwareValues): Source {
  const candidates = useMemo(
    () => (values.gather_job_id === null ? possibleSources(values.artifact_name) : []),
    [values.gather_job_id, values.artifact_name],
  );
  const body = bodyOf(values);
  const trial = useMutation({ mutationFn: findReadable });
  const isOfThis = JSON.stringify(trial.variables ?? null) === JSON.stringify(bodiesOf(values));
  const isKnown = body === null ? isOfThis : JSON.stringify(trial.data?.body) === JSON.stringify(body);
  const preview = isKnown ? (trial.data?.preview ?? null) : null;
  const gatherJobId = values.gather_job_id ?? preview?.gather_job?.id ?? null;
  const gatherJob = useApi(
    'getGatherJob',
    { path: { id: gatherJobId ?? 0 } },
    { enabled: gatherJobId !== null, refetchMs: pollIntervalMs },
  ).data;
  const stored = useStoredReleases(gatherJobId === null ? undefined : gatherJob);
  const found = gatherJobId === null ? preview?.releases : stored;
  const scheme = (gatherJobId === null ? preview : gatherJob)?.version_scheme ?? 'auto';
  const words = (gatherJobId === null ? preview : gatherJob)?.platform_words;
  const sourceType = gatherJobId === null ? body?.source_type : gatherJob?.source_type;
  const releases = useMemo(
    () =>
      found === undefined || found.length === 0
        ? null
        : toReleaseSet(scheme, found, {
            isImage: sourceType !== undefined && sourceTypes[sourceType].isImage,
            platformWords: joinPlatformWords(words ?? []),
          }),
    [found, scheme, sourceType, words],
  );
  return {
    candidates,
    candidate: findCandidateSource(values),
    gatherJob,
    gatherJobId,
    preview,
    releases,
    isTesting: trial.isPending && isOfThis,
    testError: isOfThis ? trial.error : null,
    test(given, onFound) {
      const tested = bodiesOf(given);
      if (tested.length === 0) return;
      trial.mutate(tested, {
        onSuccess: ({ body: { source_type }, preview: result }) => {
          if (tested.length > 1 && isRecognized(source_type, result)) onFound(source_type);
        },
      });
    },
    targetOf(deployed_version) {
      if (gatherJobId !== null)
        return {
          deployed_version,
          gather_job_id: gatherJobId,
        };
      return body === null
        ? null
        : {
            deployed_version,
            source: body,
          };
    },
    async settle(given) {
      const tested = bodyOf(given);
      if (given.gather_job_id !== null || tested === null) return given.gather_job_id;
      if (preview !== null) return preview.gather_job?.id ?? null;
      // Perhaps only an agent can reach the source, so a failed test doesn't rule it out.
      const result = await trial.mutateAsync([tested]).catch(() => null);
      return result?.preview.gather_job?.id ?? null;
    },
    versions: useMemo(() => [...new Set(found?.map(({ version }) => version))], [found]),
  };
}

/**
 * Returns the selected source, or the source that the text is recognized as. Returns `null` if there's
 * neither.
 */
export function findCandidateSource({
  gather_job_id,
  artifact_name,
  source_type,
}: SoftwareValues): GuessedSource | null {
  if (gather_job_id !== null) return null;
  const chosen = possibleSources(artifact_name).find((each) => each.source_type === source_type);
  return chosen ?? preselectedSource(artifact_name);
}

/** Returns the test request, or `null` if the input is incomplete or requires a credential. */
function bodyOf(values: SoftwareValues): Body | null {
  const candidate = findCandidateSource(values);
  if (candidate === null || values.source_credential.trim() !== '') return null;
  const { options } = sourceTypes[candidate.source_type];
  if (options.some(({ name, isRequired }) => isRequired && values.source_options[name] === '')) return null;
  return { ...candidate, source_options: toSourceOptions(candidate.source_type, values.source_options) };
}

/** Returns the test requests for the selected source, or for all sources that the text can refer to. */
function bodiesOf(values: SoftwareValues): Body[] {
  if (values.gather_job_id !== null) return [];
  const known = findCandidateSource(values);
  return (known === null ? possibleSources(values.artifact_name) : [known])
    .map(({ source_type }) => bodyOf({ ...values, source_type }))
    .filter((body) => body !== null);
}

/**
 * Returns the first source with releases. If none has any, returns the first recognized source, or else the first
 * result.
 */
async function findReadable(bodies: readonly Body[]): Promise<{ body: Body; preview: Preview }> {
  const results: { body: Body; preview: Preview }[] = [];
  let failure: unknown;
  for (const body of bodies) {
    try {
      const preview = await api.call('previewGatherSource', { body });
      if (hasReleases(preview)) return { body, preview };
      results.push({ body, preview });
    } catch (error) {
      failure ??= error;
    }
  }
  const result = results.find(({ body, preview }) => isRecognized(body.source_type, preview)) ?? results[0];
  if (result === undefined) throw failure;
  return result;
}

/**
 * True if the preview shows that the text refers to a source of this type. Any web page can be read as text, so an
 * `http_text` source is recognized only if it contains versions.
 */
const isRecognized = (sourceType: SourceTypeId, preview: Preview) =>
  hasReleases(preview) || (preview.error === null && sourceType !== 'http_text');

const hasReleases = ({ error, gather_job, release_count }: Preview) =>
  error === null && (gather_job !== null || release_count > 0);

function useStoredReleases(gatherJob: Schemas['GatherJob'] | undefined) {
  const { data } = useQuery({
    // The key includes the release count and the latest version, so that the releases are refetched when they
    // change.
    queryKey: ['softwareReleases', gatherJob?.id, gatherJob?.release_count, gatherJob?.latest_version],
    queryFn: () => readReleases(gatherJob?.id ?? 0),
    enabled: (gatherJob?.release_count ?? 0) > 0,
  });
  return data;
}

async function readReleases(gatherJobId: number): Promise<Schemas['Release'][]> {
  const releases: Schemas['Release'][] = [];
  while (releases.length < maxReleases) {
    const query = { gather_job_id: gatherJobId, limit: perRequest, offset: releases.length };
    const { items } = await api.call('listReleases', { query });
    releases.push(...items);
    if (items.length < perRequest) break;
  }
  return releases;
}
