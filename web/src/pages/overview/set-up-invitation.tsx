import { Anchor, Button, Paper, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useCan } from '../../api/use-me.ts';
import { Mark } from '../../ui/mark.tsx';
import classes from './set-up-invitation.module.css';

type Overview = Schemas['Overview'];

interface Step {
  isDone: boolean;
  title: string;
  about: string;
  to: LinkProps['to'];
}

/** What the service needs before it can tell anything. */
export function stepsOf({ jobs, alert_configs, channels }: Overview): Step[] {
  return [
    {
      isDone: jobs.gather.total > 0,
      title: 'What is upstream?',
      about: 'A gather job follows the releases of a piece of software.',
      to: '/gather-jobs',
    },
    {
      isDone: jobs.scrape.total > 0,
      title: 'Where is it deployed?',
      about: 'A scrape job finds the version that you run, or you type it in.',
      to: '/scrape-jobs',
    },
    {
      isDone: alert_configs.total > 0,
      title: 'How far behind is too far?',
      about: 'An alert configuration compares the two by a rule.',
      to: '/alert-configs',
    },
    {
      isDone: channels.active > 0,
      title: 'Who hears of it?',
      about: 'A notification channel sends alerts to a webhook: chat, pager, your own program.',
      to: '/notification-channels',
    },
  ];
}

/** Stands on the overview until everything is there that an alert needs to reach somebody. */
export function SetUpInvitation({ overview }: { overview: Overview }) {
  const isAllowed = useCan('member');
  const steps = stepsOf(overview);
  const missing = steps.filter(({ isDone }) => !isDone);
  if (missing.length === 0) return null;
  const isFresh = overview.alert_configs.total === 0;
  return (
    <Paper component="section" p="md" mb="md" aria-label="Set-up">
      <Title order={2}>{isFresh ? 'Set up your first alert' : 'Nearly there'}</Title>
      <Text size="sm" c="var(--text-muted)" mt={2}>
        {isFresh
          ? 'Pacekeeper compares what you run with what exists, and tells somebody when the distance grows too large.'
          : 'Something is still missing before everything that happens reaches somebody.'}
      </Text>
      <ol className={classes.steps}>
        {(isFresh ? steps : missing).map(({ isDone, title, about, to }) => (
          <li key={title}>
            <Anchor component={Link} to={to} size="sm" fw={600}>
              {title}
            </Anchor>
            <Text size="sm">
              <Mark tone={isDone ? 'ok' : 'muted'}>{isDone ? 'Done' : 'Missing'}</Mark>
            </Text>
            <Text size="sm" c="var(--text-muted)">
              {about}
            </Text>
          </li>
        ))}
      </ol>
      {isAllowed && (
        <Button component={Link} to="/set-up" mt="md">
          {missing.length === steps.length ? 'Start the guided set-up' : 'Go on with the guided set-up'}
        </Button>
      )}
    </Paper>
  );
}
