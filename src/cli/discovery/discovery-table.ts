import type { DiscoveredItem } from '../../domain/discovery/discover.ts';
import { type Reason, reasonTexts } from '../../domain/discovery/reasons.ts';
import { silentReasonTexts, titleOfKind } from '../../domain/discovery/silent-files.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { CliIo } from '../cli-io.ts';
import { counted, withSeparators } from '../output/counted.ts';
import { renderTable } from '../output/table.ts';
import type { Scan } from './scan-directory.ts';

const titles = ['ARTIFACT', 'VERSION', 'PLACE', 'UPSTREAM', 'ENVIRONMENT', 'SERVICE', 'REASON'];

/** Formats the items as a table with one row per location, grouped by artifact. */
export function formatItemTable(
  io: CliIo,
  items: readonly DiscoveredItem[],
  { all }: { all: boolean },
): string {
  const shown = items.filter(({ reason }) => all || reason !== 'local');
  if (shown.length === 0) return '';
  const rows = groupItems(shown).flatMap(({ name, upstream, items: places }) =>
    places.map((item, index) => [
      index === 0 ? name : '',
      item.version ?? '-',
      placeText(item),
      index === 0 ? upstream : '',
      item.environment ?? '-',
      item.service ?? '-',
      item.reason ?? (item.renovate_ignore === null ? '-' : 'ignored'),
    ]),
  );
  // Omit the environment and service columns if they're empty, as in many repositories, to leave more width for the
  // other columns.
  const optional = ['ENVIRONMENT', 'SERVICE'];
  const isShown = titles.map(
    (title, column) => !optional.includes(title) || rows.some((row) => row[column] !== '-'),
  );
  const keep = (row: readonly string[]) => row.filter((_, column) => isShown[column]);
  return renderTable(keep(titles), rows.map(keep), { width: io.columns, hasColor: io.hasColor });
}

interface ArtifactGroup {
  name: string;
  upstream: string;
  items: DiscoveredItem[];
}

/**
 * Groups items by artifact. Artifacts are sorted by name, and their locations keep the order of the files.
 */
function groupItems(items: readonly DiscoveredItem[]): ArtifactGroup[] {
  const groups = Map.groupBy(items, ({ artifact }) => artifact.purl ?? `${artifact.kind} ${artifact.name}`);
  return [...groups.values()]
    .map((places) => {
      const [{ artifact, proposal }] = places as [DiscoveredItem];
      const versions = new Set(places.map(({ version }) => version)).size;
      const counts =
        places.length === 1 ? '' : `, ${counted(places.length, 'place')}, ${counted(versions, 'version')}`;
      return {
        name: `${artifact.name} (${kindWords[artifact.kind]}${counts})`,
        upstream: proposal === null ? '-' : `${proposal.source_type} ${proposal.artifact_name}`,
        items: places,
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const kindWords = {
  chart: 'chart',
  image: 'image',
  git: 'Git repository',
  action: 'action',
  terraform_provider: 'Terraform provider',
  terraform_module: 'Terraform module',
  tool: 'tool',
  service: 'managed service',
} as const satisfies Record<DiscoveredItem['artifact']['kind'], string>;

/** Formats the counts and the reasons why items aren't proposed. */
export function formatScanSummary({
  items,
  fileCount,
  problems,
  omittedCount,
  excluded,
  silentFiles,
  patternProblems,
}: Scan): string {
  const proposed = items.filter(isProposed).length;
  const artifacts = new Set(items.map(({ artifact }) => artifact.purl ?? `${artifact.kind} ${artifact.name}`))
    .size;
  const lines = [
    `${items.length === 0 ? '' : '\n'}Found ${counted(items.length, 'version')} of ${counted(artifacts, 'artifact')} in ${counted(fileCount, 'file')}. ${withSeparators(proposed)} can be monitored.`,
  ];
  if (omittedCount > 0)
    lines.push(`Not listed: ${counted(omittedCount, 'version')} over the limit of one scan.`);
  lines.push(
    ...reasonLines(
      'Not proposed:',
      items.map(({ reason }) => reason),
    ),
  );
  lines.push(...ignoredLines(items));
  const [partly, unread] = [true, false].map((isRead) =>
    problems.filter(({ isFileRead, isRestRead }) => (isFileRead ?? isRestRead ?? false) === isRead),
  ) as [Scan['problems'], Scan['problems']];
  const invalid = items.flatMap(({ place: { file, line }, reason, note }) =>
    reason === 'invalid' && note !== null ? { file, line, message: note } : [],
  );
  lines.push(...problemLines('Not read:', unread, invalid));
  lines.push(...problemLines("Partly read, because some values can't be read:", partly));
  lines.push(...silentLines(silentFiles));
  if (patternProblems.length > 0) lines.push('Patterns that are not used:');
  for (const { file, name, message } of patternProblems)
    lines.push(`  ${cleanLine([file, name, message].filter((part) => part !== '').join(': '), 500)}`);
  if (excluded.length > 0)
    lines.push(
      `Skipped ${counted(excluded.length, 'directory')}: ${cleanLine(excluded.slice(0, maxProblems).join(', '), 2_000)}`,
    );
  return `${lines.join('\n')}\n`;
}

/** True if an item can be monitored and the repository's Renovate configuration doesn't ignore it. */
export function isProposed({ reason, renovate_ignore }: DiscoveredItem): boolean {
  return reason === null && renovate_ignore === null;
}

/** Returns the file and the line of an item. */
export function placeText({ place: { file, line } }: DiscoveredItem): string {
  return `${file}:${line}`;
}

/** Formats the counts of items by the entry of the Renovate configuration that ignores them. */
function ignoredLines(items: readonly DiscoveredItem[]): string[] {
  const groups = Map.groupBy(
    items.filter(({ renovate_ignore }) => renovate_ignore !== null),
    ({ renovate_ignore }) => renovate_ignore!,
  );
  if (groups.size === 0) return [];
  return [
    'Ignored by the Renovate configuration:',
    ...[...groups].map(([entry, { length }]) => `  ${withSeparators(length)} ${cleanLine(entry, 500)}`),
  ];
}

/** Formats the files that yield no versions by reason, with one line per kind of file. */
function silentLines(groups: Scan['silentFiles']): string[] {
  return [...Map.groupBy(groups, ({ reason }) => reason)].flatMap(([reason, list]) => [
    `Without versions: ${silentReasonTexts[reason]}`,
    ...list.map(({ kind, count, examples }) => {
      const more = count > examples.length ? `, and ${withSeparators(count - examples.length)} more` : '';
      return `  ${withSeparators(count)} ${titleOfKind(kind)}: ${cleanLine(examples.join(', '), 500)}${more}`;
    }),
  ]);
}

/**
 * Formats the number of files with problems by reason, followed by the location of each problem. Templates
 * aren't listed, because there can be too many.
 */
function problemLines(
  title: string,
  problems: Scan['problems'],
  others: readonly Pick<Scan['problems'][number], 'file' | 'line' | 'message'>[] = [],
): string[] {
  const named = [...problems.filter(({ reason }) => reason !== 'templated'), ...others];
  const more = named.length - maxProblems;
  const byFile = new Map(problems.map((problem) => [`${problem.reason} ${problem.file}`, problem.reason]));
  return [
    ...reasonLines(title, [...byFile.values()]),
    ...named
      .slice(0, maxProblems)
      .map(({ file, line, message }) => `  ${cleanLine(`${file}:${line}: ${message}`, 500)}`),
    ...(more > 0 ? [`  and ${withSeparators(more)} more: use --json`] : []),
  ];
}

/** Maximum number of problems in the summary. With --json, all problems are listed. */
const maxProblems = 20;

function reasonLines(title: string, reasons: readonly (Reason | null)[]): string[] {
  const counts = new Map<Reason, number>();
  for (const reason of reasons) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (counts.size === 0) return [];
  const lines = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `  ${withSeparators(count)} ${reason}: ${reasonTexts[reason]}`);
  return [title, ...lines];
}
