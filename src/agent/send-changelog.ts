import { changelogRepository } from '../domain/notes/changelog-repository.ts';
import type { ChangelogSection } from '../domain/notes/cut-changelog.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { joinPlatformWords } from '../domain/versions/platform-words.ts';
import type { SourceBody } from '../sources/source-body.ts';
import type { SourceHttp } from '../sources/source-http.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import type { OpenCredential } from './open-credential.ts';

export interface ChangelogDeps {
  repositories: RepositoryReader;
  startReading: StartBodyReading;
  openCredential: OpenCredential;
}

/** Maximum number of bytes read from a changelog. The newest versions are at the top of the file. */
const maxChangelogBytes = 2 * 1024 * 1024;

/**
 * Reads the changelog of a job at its newest tag and submits its sections. The changelog of a known tag is reread only
 * in full runs. A failure doesn't fail the run, because the releases are useful without the changelog.
 * @returns A warning if the changelog can't be read, otherwise `null`.
 */
export async function sendChangelog(
  held: HeldTask<TaskOf<'gather'>>,
  newestTag: string | null,
  { schemeFor }: Pick<SourceHttp, 'schemeFor'>,
  deps: ChangelogDeps,
): Promise<string | null> {
  const { spec } = held.task;
  const { changelog_path: file } = spec;
  const url = changelogRepository(spec.source_type, spec.artifact_name, schemeFor);
  if (file === undefined || url === null || newestTag === null) return null;
  if (!spec.is_full && spec.known_hint?.tags.includes(newestTag)) return null;
  let sections: ChangelogSection[];
  try {
    sections = await readSections(held, { url, file, tag: newestTag }, deps);
  } catch (error) {
    if (held.signal.aborted) throw held.signal.reason;
    if (!(error instanceof RunError)) throw error;
    return `The changelog wasn't read. ${error.message}`.slice(0, 500).toWellFormed();
  }
  if (sections.length === 0)
    return `No version found in the headings of ${file}.`.slice(0, 500).toWellFormed();
  await held.sendPart(
    sections.map(({ version, notes }) => ({ tag: newestTag, section_version: version, notes })),
  );
  return null;
}

async function readSections(
  { task, signal }: HeldTask<TaskOf<'gather'>>,
  { url, file, tag }: { url: string; file: string; tag: string },
  { repositories, startReading, openCredential }: ChangelogDeps,
): Promise<ChangelogSection[]> {
  const { organization_id: organizationId, spec } = task;
  const { read } = startReading({ fairKey: String(organizationId), signal, criteria: null });
  const input = {
    scheme: spec.version_scheme,
    platformWords: joinPlatformWords(spec.platform_words ?? []),
  };
  const access = { organizationId, url, credential: await openCredential(task), signal };
  const sections: ChangelogSection[] = [];
  await repositories.readFiles(access, [{ ref: `refs/tags/${tag}`, file }], async (_want, result) => {
    if (result instanceof Error) throw result;
    for await (const part of read('changelog', input, toBody(result.text))) sections.push(...part);
  });
  return sections;
}

/** Converts the text to a body. If the text exceeds the limit, the incomplete last line is dropped. */
function toBody(text: string): SourceBody {
  const whole = Buffer.from(text);
  const isCut = whole.byteLength > maxChangelogBytes;
  const bytes = isCut ? whole.subarray(0, whole.lastIndexOf(10, maxChangelogBytes) + 1) : whole;
  return { bytes: bytes.byteLength, pieces: [bytes], free: () => undefined };
}
