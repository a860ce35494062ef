import { Text } from '@mantine/core';
import { describeReferenceAge } from '../../../../src/domain/rules/reference-age.ts';
import { runErrorCodes } from '../../../../src/domain/runs/run-error-codes.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatDay } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './today-page.module.css';

type Overview = Schemas['Overview'];
type Source = Overview['reference_sources'][number];

const contents: Record<Source['name'], string> = {
  end_of_life: 'End-of-support dates',
  epss: 'Exploit probabilities',
  known_exploited: 'Known exploited vulnerabilities',
  vulnerabilities: 'Known vulnerabilities',
};

/** Shows the age of the reference data that enabled rules use. */
export function ReferenceDataAge({ reference_sources, generated_at }: Overview) {
  const now = Date.parse(generated_at);
  return (
    <>
      {reference_sources.map((source) => (
        <li key={source.name}>
          <div className={classes.line}>
            <Text span size="sm" fw={500}>
              {source.label}
            </Text>
            <Text span size="xs" c="var(--text-muted)">
              {contents[source.name]} · <RelativeTime at={source.as_of} none="not loaded" />
            </Text>
          </div>
          <Problems source={source} now={now} />
        </li>
      ))}
    </>
  );
}

function Problems({ source, now }: { source: Source; now: number }) {
  const problems = problemsOf(source, now);
  if (problems.length === 0 && source.as_of !== null)
    return (
      <Text component="div" size="sm">
        <Mark tone="ok">Up to date</Mark>
      </Text>
    );
  return problems.map((problem) => (
    <Text key={problem} size="sm" className={classes.warning}>
      {problem}
    </Text>
  ));
}

function problemsOf(
  { name, label, as_of, fetch_error, skipped_count, is_partial, waiting }: Source,
  now: number,
): string[] {
  const age = describeReferenceAge(label, as_of === null ? null : Date.parse(as_of), now, {
    configs: 'monitors',
    formatDay,
  });
  return [
    ...(age === null ? [] : [age]),
    ...(fetch_error === null
      ? []
      : [`The last attempt to fetch it failed: ${runErrorCodes[fetch_error][1]}`]),
    ...(skipped_count === 0
      ? []
      : [
          `The last fetch skipped ${skipped_count === 1 ? '1 package and kept its' : `${skipped_count} packages and kept their`} stored data.`,
        ]),
    ...(is_partial
      ? ["The last fetch didn't reach all packages. The next fetch starts with the others."]
      : []),
    ...(waiting === null ? [] : [describeWaiting(name, waiting)]),
  ];
}

function describeWaiting(
  name: Source['name'],
  { as_of, changed, total }: NonNullable<Source['waiting']>,
): string {
  const hasEntries = name === 'epss' || name === 'known_exploited';
  const effect =
    changed > 0 ? `${changed} of your ${total} results` : `many ${hasEntries ? 'entries' : 'results'}`;
  return `Newer data, from ${formatDay(new Date(as_of))}, would change ${effect}. An operator must confirm it first.`;
}
