import { normalizeJsonAddress } from '../domain/artifacts/json-address.ts';
import { compileCheapPattern } from '../domain/patterns/compile-pattern.ts';
import { RunError } from '../platform/errors.ts';
import { createPartCollector } from './collect-parts.ts';
import { parseJsonBody } from './json-body.ts';
import { findValues, type JsonValue, parseJsonPath } from './json-values.ts';
import { readDate, readTag } from './release-fields.ts';
import type {
  GatheredRelease,
  GatherRequest,
  OptionProblem,
  ReleaseSource,
  SourceOptions,
} from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceAnswer } from './source-http.ts';
import { unknownOptions } from './unknown-options.ts';

/** 8 MiB of ordinary JSON take some 60 MB, of `[{},…]` 200 MB. */
const maxBodyBytes = 8 * 1024 * 1024;

/** As many as the largest registries list of one thing. */
const maxVersions = 200_000;

/**
 * Any address that answers with JSON in which versions can be found by a path. A path leads to one text, to
 * a list of texts, or through `[*]` to a text in every item; a map gives its keys. Dates are found by a
 * second path and belong to the version that was reached by the same items.
 */
export const httpJson: ReleaseSource = {
  sourceType: 'http_json',
  defaultVersionScheme: 'auto',

  normalizeArtifactName: normalizeJsonAddress,

  checkOptions,

  sharedRequestKey: ({ artifactName }) => `http_json ${artifactName.replace(/^https?:\/\//u, '')}`,

  async *gather(request, context) {
    const host = URL.canParse(request.artifactName) ? new URL(request.artifactName).host : 'the address';
    const [problem] = checkOptions(request.sourceOptions);
    if (problem)
      throw new RunError('invalid_index', `The option ${problem.option} cannot be used: ${problem.message}.`);
    const answer = await context.http.get(request.artifactName, {
      what: 'the document',
      accept: 'application/json, */*;q=0.8',
      maxBytes: maxBodyBytes,
      validators: request.validators,
    });
    const isNotModified = answer.status === 304;
    const skipped = createSkippedItems();
    const found = isNotModified ? noReleases : readReleases(answer, request, host, skipped.skip);
    const parts = createPartCollector<GatheredRelease>();
    for (const release of found.releases) {
      const full = parts.add(release);
      if (full) yield { releases: full };
    }
    const rest = parts.rest();
    if (rest.length > 0) yield { releases: rest };
    return {
      isNotModified,
      isCompleteList: !isNotModified && !found.isCut,
      validators: answer.validators ?? (isNotModified ? request.validators : null),
      found: found.releases.length,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      warnings: found.warnings,
    };
  },
};

function checkOptions(sourceOptions: SourceOptions): OptionProblem[] {
  const problems = unknownOptions(sourceOptions, ['version_path', 'date_path', 'version_regex'], 'http_json');
  const { version_path, date_path, version_regex } = sourceOptions;
  if (version_path === undefined) {
    problems.push({
      option: 'version_path',
      message: 'http_json needs the path to the versions, such as .versions[*].name',
    });
  }
  for (const [option, path] of [
    ['version_path', version_path],
    ['date_path', date_path],
  ] as const) {
    const parsed = path === undefined ? null : parseJsonPath(path);
    if (parsed && !parsed.ok) problems.push({ option, message: parsed.message });
  }
  const pattern = version_regex === undefined ? null : compileCheapPattern(version_regex);
  if (pattern && !pattern.ok) problems.push({ option: 'version_regex', message: pattern.message });
  return problems;
}

interface FoundReleases {
  releases: GatheredRelease[];
  warnings: string[];
  isCut: boolean;
}

const noReleases: FoundReleases = { releases: [], warnings: [], isCut: false };

function readReleases(
  answer: SourceAnswer,
  request: GatherRequest,
  host: string,
  skip: (name: string, reason: string) => void,
): FoundReleases {
  const { version_path = '', date_path, version_regex } = request.sourceOptions;
  const root = parseJsonBody(answer, { what: 'the document', areNumbersTexts: true });
  const versions = findAt(root, version_path, 'versions');
  if (!versions.ok) {
    throw new RunError(
      'invalid_index',
      `No version was found in the answer of ${host}: ${versions.message}.`,
    );
  }
  const warnings: string[] = [];
  if (versions.isCut)
    warnings.push(`The answer holds more than ${maxVersions} versions; the rest was not read.`);
  const dates = new Map<string, string>();
  if (date_path !== undefined) {
    const found = findAt(root, date_path, 'dates');
    if (!found.ok) warnings.push(`No date was found: ${found.message}.`);
    else for (const { trail, text } of found.values) dates.set(trail, text);
  }
  const pattern = version_regex === undefined ? null : compileCheapPattern(version_regex);
  const releases = new Map<string, GatheredRelease>();
  for (const { trail, text } of versions.values) {
    const name = readTag(text);
    const tag = name !== null && pattern?.ok ? firstGroup(pattern.pattern.find(name)) : name;
    if (tag === null) {
      skip(text, name === null ? 'it is no version' : 'it does not match version_regex');
      continue;
    }
    if (releases.has(tag)) continue;
    releases.set(tag, {
      tag,
      app_version: null,
      released_at: readDate(dates.get(trail)),
      is_prerelease: false,
      is_yanked: false,
      url: null,
      notes: null,
    });
  }
  if (dates.size > 0 && [...releases.values()].every(({ released_at }) => released_at === null)) {
    warnings.push('No date belongs to a version: both paths have to pass the same items by [*].');
  }
  return { releases: [...releases.values()], warnings, isCut: versions.isCut };
}

function findAt(
  root: unknown,
  path: string,
  of: 'versions' | 'dates',
): { ok: true; values: JsonValue[]; isCut: boolean } | { ok: false; message: string } {
  const parsed = parseJsonPath(path);
  return parsed.ok ? findValues(root, parsed.steps, of, maxVersions) : parsed;
}

function firstGroup(match: { match: string; groups: (string | null)[] } | null): string | null {
  if (!match) return null;
  return readTag(match.groups.length > 0 ? (match.groups[0] ?? '') : match.match);
}
