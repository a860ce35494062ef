import { createHash } from 'node:crypto';
import { knownSources } from '../domain/catalog/catalog.ts';
import { type CustomPattern, toCustomPattern } from '../domain/discovery/custom-patterns.ts';
import { factsVersion } from '../domain/discovery/facts-version.ts';
import { reasonTexts } from '../domain/discovery/reasons.ts';
import {
  type RenovateConfig,
  type RenovateProblem,
  renovateConfigPaths,
  unreadableConfigResult,
} from '../domain/discovery/renovate-config.ts';
import type { RenovateIgnores } from '../domain/discovery/renovate-ignores.ts';
import { maxAllDotenvBytes, maxDotenvBytes } from '../domain/discovery/scan-limits.ts';
import { mergeSilentFiles } from '../domain/discovery/silent-files.ts';
import { RunError } from '../domain/runs/run-error.ts';
import {
  type Sandbox,
  SandboxError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from '../platform/sandbox/index.ts';
import type { SourceBody } from '../sources/source-body.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import { drainBody } from './body-reading.ts';
import { type FactsStore, openFactsStore } from './discovery/facts-store.ts';
import type { DiscoveryResultItem } from './discovery/result-item.ts';
import type {
  ChooseTreeFilesInput,
  ChosenFile,
  ChosenTreeFiles,
  FileToRead,
  LinkResult,
  LinkTreeFilesInput,
} from './discovery/scan-jobs.ts';
import {
  countUnreadFiles,
  createScanReport,
  mergeReports,
  type ScanReport,
  summarizeUnreadFiles,
  type UnreadFile,
} from './discovery/scan-report.ts';
import type { RepositoryAccess } from './git/repository-access.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import type { SelectorFile } from './git/scan-tree.ts';
import type { OpenCredential } from './open-credential.ts';
import { submitParts } from './submit-parts.ts';

export interface DiscoveryDeps {
  repositories: RepositoryReader;
  sandbox: Sandbox;
  openCredential: OpenCredential;
}

/**
 * Time limit of a sandbox job. Selecting from half a million paths takes 3 s of CPU time, and linking 50,000
 * items takes 4 s. Agents with a small fraction of a CPU take many times as long.
 */
const deadlineMs = 120_000;

/** Reads a repository and submits the software that it deploys. */
export async function runDiscovery(held: HeldTask<TaskOf<'discovery'>>, deps: DiscoveryDeps): Promise<void> {
  try {
    const { organization_id: organizationId, spec } = held.task;
    const access: RepositoryAccess = {
      organizationId,
      // The URL is null only in tasks that don't read a repository.
      url: spec.repository_url ?? '',
      credential: await deps.openCredential(held.task),
      signal: held.signal,
    };
    await deps.repositories.useFolder(access, async (folder) => {
      const facts = await openFactsStore(folder);
      try {
        await discoverWith(held, deps, access, facts);
      } finally {
        await facts.close();
      }
    });
  } catch (error) {
    await held.fail(toRunError(error));
  }
}

async function discoverWith(
  held: HeldTask<TaskOf<'discovery'>>,
  { repositories, sandbox }: DiscoveryDeps,
  access: RepositoryAccess,
  facts: FactsStore,
): Promise<void> {
  const { spec } = held.task;
  const fingerprint = fingerprintOf(spec);
  const known = spec.validators?.fingerprint === fingerprint ? spec.validators.etag : null;
  const scan = createTreeReading(held, sandbox, facts);
  try {
    const { commitSha, isUnchanged } = await repositories.scanTree(access, {
      ref: spec.ref ?? 'HEAD',
      knownCommit: known,
      ...scan.steps,
    });
    // If no file is included, the patterns most likely have a mistake, so later runs report it too, even if
    // nothing has changed.
    const isNothingIncluded = spec.include.length > 0 && scan.files()?.length === 0;
    // The next run may be able to read a file that timed out, even if nothing has changed.
    const isReadAgain = isNothingIncluded || scan.unread().some(({ reason }) => reason === 'timed_out');
    const validators = { etag: isReadAgain ? null : commitSha, last_modified: null, fingerprint };
    const common = { validators, waited_ms: 0, requests: 1, commit_sha: commitSha };
    if (isUnchanged) {
      const nothingFound = {
        not_modified: true,
        is_complete_list: true,
        found: 0,
        skipped: 0,
        skipped_examples: [],
      };
      await held.complete({ ...common, ...nothingFound });
      return;
    }
    const parts = sandbox.stream<LinkTreeFilesInput, DiscoveryResultItem[], LinkResult>(
      scanJobs,
      'linkTreeFiles',
      {
        extractors: usedExtractors(spec),
        labelRules: spec.label_rules.map(({ pattern, labels = {} }) => ({ pattern, labels })),
        ignores: scan.ignores(),
        owners: scan.owners(),
        dotenvFiles: scan.dotenvFiles(),
        isWholeRepository: spec.include.length + spec.exclude.length === 0,
        unreadPaths: [...scan.unread(), ...scan.choice().unread].map(({ path }) => path),
      },
      facts.read(scan.files() ?? []),
      { fairKey: String(held.task.organization_id), signal: held.signal, deadlineMs },
    );
    const linked = await submitParts(held, parts, (items) => items);
    const report = mergeReports([scan.choice().report, scan.report(), linked.report]);
    // The Renovate configuration comes first, because a long list is truncated at its end.
    const unread = [...scan.unread(), ...scan.choice().unread, ...linked.unread];
    await held.complete({
      ...common,
      ...summarizeUnreadFiles(unread, scan.choice().links),
      not_modified: false,
      found: linked.found,
      ...(isNothingIncluded && {
        warnings: ['No file in the repository matches the paths to include. Check the patterns.'],
      }),
      files: scan.choice().fileCount,
      silent_files: mergeSilentFiles([scan.choice().silent, linked.silent, countUnreadFiles(unread)]),
      skipped_directories: scan.choice().skipped,
      pattern_problems: scan.patternProblems(),
      files_read: scan.readCount(),
      reasons: report.counts,
      skipped: Object.values(report.counts).reduce((sum, count) => sum + count, 0),
      skipped_examples: report.examples,
    });
  } finally {
    // Facts are kept even if the scan failed, so that the next scan reads only the rest.
    const files = scan.files();
    if (files) await facts.keep(files);
  }
}

/** Returns the extractors to use. Patterns of the job or its organization apply, whatever extractors the job lists. */
function usedExtractors({ extractors, custom_extractors }: TaskOf<'discovery'>['spec']): readonly string[] {
  return extractors.length > 0 && custom_extractors.length > 0 ? [...extractors, 'custom'] : extractors;
}

/** Creates the steps that read the contents of a tree. Only files without stored facts are read. */
function createTreeReading(held: HeldTask<TaskOf<'discovery'>>, sandbox: Sandbox, facts: FactsStore) {
  const { spec, organization_id } = held.task;
  const fairKey = String(organization_id);
  let choice: ChosenTreeFiles = {
    fileCount: 0,
    owners: null,
    dotenvFiles: [],
    report: { counts: {}, examples: [] },
    unread: [],
    links: [],
    silent: [],
    skipped: { count: 0, examples: [] },
    patternProblems: [],
  };
  let unread: UnreadFile[] = [];
  /**
   * Files by content and role. Created when the first file can't be read, because most scans don't need this
   * map.
   */
  let sameFiles: Map<string, ChosenFile[]> | null = null;
  /** Null if the tree wasn't read. */
  let files: ChosenFile[] | null = null;
  let owners: Buffer | null = null;
  let dotenvFiles: { path: string; oid: string; bytes: Buffer }[] = [];
  let dotenvBytes = 0;
  let report = createScanReport();
  let readCount = 0;
  /** Patterns of the job, and then those of the repository's Renovate configuration. */
  let customPatterns: CustomPattern[] = [];
  let patternProblems: RenovateProblem[] = [];
  let ignores: RenovateIgnores | null = null;

  async function readRenovate(first: readonly SelectorFile[]): Promise<RenovateConfig> {
    const [file] = first;
    if (file === undefined) return { patterns: [], ignores: null, problems: [], unread: null };
    try {
      return await sandbox.run<SelectorFile[], RenovateConfig>(scanJobs, 'readRenovateFiles', [...first], {
        fairKey,
      });
    } catch (error) {
      if (!isLimitExceeded(error)) throw error;
      const reason = error instanceof SandboxTimeoutError ? 'timed_out' : 'too_large';
      return unreadableConfigResult(file.path, reason, `Reading it ${error.message}.`);
    }
  }

  async function choose(listing: SourceBody, first: readonly SelectorFile[]): Promise<ChosenFile[]> {
    const renovate = await readRenovate(first);
    customPatterns = [...spec.custom_extractors.map(toCustomPattern), ...renovate.patterns];
    patternProblems = renovate.problems;
    ignores = renovate.ignores;
    const chosen: ChosenFile[] = [];
    report = createScanReport();
    unread = [];
    if (renovate.unread !== null) {
      const { path, reason, message } = renovate.unread;
      report.add(reason, path, message);
      unread.push(renovate.unread);
    }
    sameFiles = null;
    [dotenvFiles, dotenvBytes] = [[], 0];
    const parts = sandbox.stream<ChooseTreeFilesInput, ChosenFile[], ChosenTreeFiles>(
      scanJobs,
      'chooseTreeFiles',
      { include: spec.include, exclude: spec.exclude, customPatterns },
      drainBody(listing),
      { fairKey, signal: held.signal, deadlineMs },
    );
    for (;;) {
      const { done, value } = await parts.next();
      if (done) {
        choice = value;
        break;
      }
      for (const file of value) chosen.push(file);
    }
    files = chosen;
    const toRead = [...new Map(chosen.map((file) => [`${file.oid} ${file.role}`, file])).values()];
    const missing = toRead.filter((file) => !facts.has(file));
    return [
      ...missing,
      ...(choice.owners ? [{ ...choice.owners, ...codeOwnersFields }] : []),
      ...choice.dotenvFiles.map((file) => ({ ...file, ...asDotenv })),
    ];
  }

  async function read(batch: { file: ChosenFile; bytes: Buffer }[]): Promise<void> {
    for (const { file, bytes } of batch) {
      if (file.role === codeOwnersFields.role) owners = Buffer.from(bytes);
      if (file.role === asDotenv.role) keepDotenv(file, bytes);
    }
    await extract(
      batch.filter(({ file }) => file.role !== codeOwnersFields.role && file.role !== asDotenv.role),
    );
  }

  function keepDotenv({ path, oid }: ChosenFile, bytes: Buffer): void {
    if (bytes.byteLength > maxDotenvBytes || dotenvBytes + bytes.byteLength > maxAllDotenvBytes)
      return report.add('too_large', path);
    dotenvBytes += bytes.byteLength;
    dotenvFiles.push({ path, oid, bytes: Buffer.from(bytes) });
  }

  /**
   * Extracts the facts of a batch. If the batch exceeds the limits, its files are read one by one. A file
   * that exceeds the limits on its own is skipped.
   */
  async function extract(batch: readonly { file: ChosenFile; bytes: Buffer }[]): Promise<void> {
    if (batch.length === 0) return;
    const input = batch.map(
      ({ file, bytes }): FileToRead => ({
        path: file.path,
        isChartTemplate: file.isChartTemplate,
        bytes,
        customPatterns: file.patternIndexes.map((at) => customPatterns[at]!),
      }),
    );
    try {
      held.signal.throwIfAborted();
      const results = await sandbox.run<FileToRead[], string[]>(scanJobs, 'readTreeFiles', input, {
        fairKey,
      });
      for (const [at, { file }] of batch.entries())
        if (!(await facts.add(file, results[at]!)))
          skipFile(file, 'limit', 'The files before it have too many versions.');
      readCount += batch.length;
    } catch (error) {
      if (!isLimitExceeded(error)) throw error;
      const [first] = batch;
      if (batch.length === 1 && first) {
        const reason = error instanceof SandboxTimeoutError ? 'timed_out' : 'too_large';
        skipFile(first.file, reason, `Reading it ${error.message}.`);
      } else for (const each of batch) await extract([each]);
    }
  }

  /**
   * Reports that a file has no facts, and also the other files with the same content and role, which would have the
   * same facts.
   */
  function skipFile({ oid, role }: ChosenFile, reason: UnreadFile['reason'], message: string): void {
    sameFiles ??= Map.groupBy(files ?? [], (file) => `${file.oid} ${file.role}`);
    for (const { path } of sameFiles.get(`${oid} ${role}`) ?? []) {
      report.add(reason, path, message);
      unread.push({ path, reason, message });
    }
  }

  function skipFiles(large: readonly ChosenFile[]): void {
    for (const file of large)
      if (file.role !== codeOwnersFields.role && file.role !== asDotenv.role)
        skipFile(file, 'too_large', reasonTexts.too_large);
      else report.add('too_large', file.path);
  }

  return {
    steps: { firstPaths: renovateConfigPaths, choose, read, skipFiles },
    patternProblems: () => [...patternProblems, ...choice.patternProblems].slice(0, maxPatternProblems),
    choice: () => choice,
    files: () => files,
    ignores: () => ignores,
    owners: () => owners,
    dotenvFiles: () => dotenvFiles,
    report: (): ScanReport => report.all(),
    unread: () => unread,
    readCount: () => readCount,
  };
}

/** Placeholder fields for the CODEOWNERS file, which contains no versions. */
const codeOwnersFields = { isChartTemplate: false, patternIndexes: [], role: 'CODEOWNERS/' };

/**
 * Placeholder fields for `.env` files. Their contents are secret and aren't stored as facts, so every scan
 * rereads these files.
 */
const asDotenv = { isChartTemplate: false, patternIndexes: [], role: '.env/' };

/** Limit of the API contract. */
const maxPatternProblems = 50;

const scanJobs = new URL('./discovery/scan-jobs.ts', import.meta.url);

/**
 * Returns a fingerprint of the job options and the extraction code. Stored validators are valid only if it's
 * unchanged.
 */
function fingerprintOf(spec: TaskOf<'discovery'>['spec']): string {
  const { repository_url, ref, include, exclude, extractors, label_rules, custom_extractors } = spec;
  const question = JSON.stringify([
    repository_url,
    ref,
    include,
    exclude,
    extractors,
    label_rules,
    custom_extractors,
    factsVersion,
    knownSources,
  ]);
  return createHash('sha256').update(question).digest('hex').slice(0, 32);
}

/** Converts sandbox errors to run errors. */
function toRunError(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error;
  if (!isLimitExceeded(error)) return new RunError('internal', undefined, { cause: error });
  return new RunError('too_large', `Reading the repository ${error.message}. Exclude directories.`, {
    cause: error,
  });
}

function isLimitExceeded(error: unknown): error is SandboxMemoryError | SandboxTimeoutError {
  return error instanceof SandboxTimeoutError || error instanceof SandboxMemoryError;
}
