import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { jobKinds } from '../../components/job-kind-pages.ts';
import { JobLink } from '../../components/job-link.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeOperations } from './describe-operations.ts';
import { ReferenceDataAge } from './reference-data.tsx';
import { RunAgainButton } from './run-again.tsx';
import classes from './today-page.module.css';

type Overview = Schemas['Overview'];

/** Shows in one line whether Pacekeeper works. The line is red only if a person must fix something. */
export function OperationsLine({ overview }: { overview: Overview }) {
  const { problems, note } = describeOperations(overview);
  return (
    <section className={classes.operations} aria-label="Pacekeeper">
      {problems.length === 0 ? (
        <Mark tone="muted">
          <span className={classes.wrapped}>Pacekeeper: {note}</span>
        </Mark>
      ) : (
        <Mark tone="critical">
          <span className={classes.wrapped}>
            Pacekeeper:{' '}
            {problems.map(({ text, link }, index) => (
              <span key={text}>
                {index > 0 && ', '}
                {link === null ? (
                  text
                ) : (
                  <TextLink {...link} inherit c="inherit" underline="always">
                    {text}
                  </TextLink>
                )}
              </span>
            ))}
          </span>
        </Mark>
      )}
      <Details overview={overview} unlisted={problems.filter(({ isListed }) => !isListed)} />
    </section>
  );
}

function Details({
  overview,
  unlisted,
}: {
  overview: Overview;
  /** Problems that the lists of jobs and reference data don't contain, or only in part. */
  unlisted: ReturnType<typeof describeOperations>['problems'];
}) {
  const { failed_jobs, reference_sources } = overview;
  if (unlisted.length + failed_jobs.length + reference_sources.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>Details</summary>
      <ul className={classes.list}>
        {unlisted.map(({ text, link }) => (
          <li key={text}>
            {link === null ? (
              text
            ) : (
              <TextLink {...link} size="sm" fw={500}>
                {text}
              </TextLink>
            )}
          </li>
        ))}
        {failed_jobs.map(({ kind, id, name, error, failed_at }) => (
          <li key={`${kind} ${id}`}>
            <div className={classes.line}>
              <JobLink kind={kind} id={id} size="sm" fw={500}>
                {name}
              </JobLink>
              <Text span size="xs" c="var(--text-muted)">
                {jobKinds[kind].label} · <RelativeTime at={failed_at} />
              </Text>
            </div>
            <div className={classes.line}>
              <Text size="sm" className={classes.error}>
                {error.message}
              </Text>
              <RunAgainButton kind={kind} id={id} name={name} />
            </div>
          </li>
        ))}
        <ReferenceDataAge {...overview} />
      </ul>
    </details>
  );
}
