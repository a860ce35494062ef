import { Paper, Text, Title } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useCan } from '../../api/use-me.ts';
import { ButtonLink, type PlainPath, TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { useUnreachableReason } from './alert-receivers.ts';
import classes from './set-up-steps.module.css';

type Overview = Schemas['Overview'];

interface Step {
  isDone: boolean;
  title: string;
  about: string;
  to: PlainPath;
}

/**
 * Returns the setup steps that are required for notifications.
 * @param unreachable Reason that alerts can't reach anyone, or `null`.
 */
function stepsOf({ jobs, alert_configs, channels }: Overview, unreachable: string | null): Step[] {
  return [
    {
      isDone: jobs.gather.total > 0,
      title: 'Add an upstream source',
      about: 'Track the releases of the software you use.',
      to: '/gather-jobs',
    },
    {
      isDone: jobs.scrape.total > 0,
      title: 'Track your deployed version',
      about: 'Read it from a Git repository, or enter it manually.',
      to: '/scrape-jobs',
    },
    {
      isDone: alert_configs.total > 0,
      title: 'Create a monitor',
      about: 'Compare the two and set how far behind is too far.',
      to: '/alert-configs',
    },
    unreachable === null
      ? {
          isDone: channels.active > 0,
          title: 'Choose who gets notified',
          about: 'Send alerts to Slack, PagerDuty, or any webhook.',
          to: '/notification-channels',
        }
      : {
          isDone: false,
          title: "Alerts aren't sent to anyone",
          about: unreachable,
          to: '/notification-rules',
        },
  ];
}

/** Shows the setup steps until alerts can reach someone. */
export function SetUpSteps({ overview }: { overview: Overview }) {
  const isAllowed = useCan('member');
  const { channels, alert_configs } = overview;
  const unreachable = useUnreachableReason(channels.active > 0 && alert_configs.total > 0);
  const steps = stepsOf(overview, unreachable);
  const missing = steps.filter(({ isDone }) => !isDone);
  if (missing.length === 0) return null;
  const isFresh = overview.alert_configs.total === 0;
  return (
    <Paper component="section" p="md" mb="md" aria-label="Setup">
      <Title order={2}>{isFresh ? 'Set up your first alert' : 'Almost done'}</Title>
      <Text size="sm" c="var(--text-muted)" mt={2}>
        {isFresh
          ? 'Pacekeeper compares what you run with upstream releases and notifies you when you fall behind.'
          : 'Finish setup to start receiving notifications.'}
      </Text>
      <ol className={classes.steps}>
        {(isFresh ? steps : missing).map(({ isDone, title, about, to }) => (
          <li key={title}>
            <TextLink to={to} size="sm" fw={600}>
              {title}
            </TextLink>
            <Text size="sm">
              <Mark tone={isDone ? 'ok' : 'muted'}>{isDone ? 'Done' : 'To do'}</Mark>
            </Text>
            <Text size="sm" c="var(--text-muted)">
              {about}
            </Text>
          </li>
        ))}
      </ol>
      {isAllowed && (unreachable === null || missing.length > 1) && (
        <ButtonLink to="/set-up" mt="md">
          {missing.length === steps.length ? 'Start guided setup' : 'Continue guided setup'}
        </ButtonLink>
      )}
    </Paper>
  );
}
