import { sourceTypes } from '../../../src/domain/source-types/source-types.ts';
import { createHttpPolicy, type OutboundClient } from '../../../src/platform/outbound/index.ts';
import type { ReadBody } from '../../../src/sources/body-reader.ts';
import { type BodyReaders, bodyReaders } from '../../../src/sources/body-readers.ts';
import type {
  GatheredRelease,
  GatherRequest,
  GatherSummary,
  ReleaseSource,
  SourceContext,
} from '../../../src/sources/release-source.ts';
import type { SourceBody } from '../../../src/sources/source-body.ts';
import type { SourceCredential } from '../../../src/sources/source-credential.ts';
import { createSourceHttp, type SourceHttp } from '../../../src/sources/source-http.ts';

export interface Gathered {
  releases: GatheredRelease[];
  /** Number of releases in each part. */
  parts: number[];
  summary: GatherSummary;
  requests: number;
}

export interface GatherOptions extends Partial<GatherRequest> {
  client: OutboundClient;
  /** Hosts in the form `host:port` that are accessed over plain HTTP. */
  insecureHosts: readonly string[];
  credential?: SourceCredential | null;
  signal?: AbortSignal;
  maxTimeoutMs?: number;
  maxWaitMs?: number;
  now?: Date;
}

/**
 * Runs a source to completion, as an agent does. The artifact name is normalized first, as the service does.
 */
export async function gatherFrom(
  source: ReleaseSource,
  artifactName: string,
  options: GatherOptions,
): Promise<Gathered> {
  const normalized = sourceTypes[source.sourceType].normalizeArtifactName(artifactName);
  if (!normalized.ok) throw new Error(normalized.message);
  const context = testSourceContext(options);
  const run = source.gather(
    {
      artifactName: normalized.artifactName,
      sourceOptions: options.sourceOptions ?? {},
      validators: options.validators ?? null,
      knownTags: options.knownTags ?? [],
      undatedTags: options.undatedTags ?? [],
      isFull: options.isFull ?? false,
      checksComplete: options.checksComplete ?? false,
      checksArchived: options.checksArchived ?? false,
      readsDigests: options.readsDigests ?? false,
      readsCommits: options.readsCommits ?? false,
    },
    context,
  );
  const releases: GatheredRelease[] = [];
  const parts: number[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { releases, parts, summary: step.value, requests: context.http.usage.requests };
    releases.push(...step.value.releases);
    parts.push(step.value.releases.length);
  }
}

export function testSourceContext(options: GatherOptions): SourceContext {
  const signal = options.signal ?? new AbortController().signal;
  const now = options.now ?? new Date();
  return { http: testSourceHttp(options), git: { listTags: noTags }, read: parseInProcess, signal, now };
}

/** Parses bodies in this process, regardless of their size. */
export const parseInProcess = ((name: keyof BodyReaders, input: unknown, body: SourceBody) =>
  // The cast is correct, because the type of `ReadBody` ensures that the input matches the named reader.
  bodyReaders[name](input as never, piecesOf(body))) as ReadBody;

async function* piecesOf({ pieces, free }: SourceBody): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces.slice();
  free();
}

/** Returns a body as if it had arrived over the network. */
export function toSourceBody(text: string): SourceBody {
  const pieces = [Buffer.from(text)];
  return { bytes: pieces[0]!.byteLength, pieces, free: () => void (pieces.length = 0) };
}

export function testSourceHttp(options: GatherOptions): SourceHttp {
  const { client, insecureHosts, maxTimeoutMs, maxWaitMs, now } = options;
  const http = createSourceHttp({
    client,
    allowHttp: createHttpPolicy({ insecureHosts, allowHttpWebhooks: false }),
    clock: () => now ?? new Date(),
    ...(maxTimeoutMs === undefined ? {} : { maxTimeoutMs }),
    maxWaitMs: maxWaitMs ?? 0,
  });
  return http.forJob({
    credential: options.credential ?? null,
    signal: options.signal ?? new AbortController().signal,
    fairKey: 'tests',
  });
}

function noTags(): never {
  throw new Error('this source has no business with git');
}
