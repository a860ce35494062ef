import { Paper, Text, Title } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole, useMe } from '../../api/use-me.ts';
import { SampleDataOffer } from '../../components/sample-data.tsx';
import { ButtonLink, type PlainPath, TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ConnectChoices } from '../set-up/connect-choices.tsx';
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
 * Returns the setup steps that are required for notifications, once something is monitored.
 * @param unreachable Reason that alerts can't reach anyone, or `null`.
 */
function stepsOf({ jobs, channels }: Overview, unreachable: string | null): Step[] {
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

/** Shows the first step of the setup if nothing is monitored, then the steps until alerts can reach someone. */
export function SetUpSteps({ overview }: { overview: Overview }) {
  const { channels, alert_configs } = overview;
  const isMonitored = alert_configs.total > 0;
  const unreachable = useUnreachableReason(channels.active > 0 && isMonitored);
  const { organization } = useMe();
  if (organization.is_sample) return null;
  if (!isMonitored) return <FirstStep hasDiscovery={overview.jobs.discovery.total > 0} />;
  const missing = stepsOf(overview, unreachable).filter(({ isDone }) => !isDone);
  if (missing.length === 0) return null;
  return (
    <Paper component="section" p="md" mb="md" aria-label="Setup">
      <Title order={2}>Almost done</Title>
      <Text size="sm" c="var(--text-muted)" mt={2}>
        Finish setup to start receiving notifications.
      </Text>
      <ol className={classes.steps}>
        {missing.map(({ title, about, to }) => (
          <li key={title}>
            <TextLink to={to} size="sm" fw={600}>
              {title}
            </TextLink>
            <Text size="sm">
              <Mark tone="muted">To do</Mark>
            </Text>
            <Text size="sm" c="var(--text-muted)">
              {about}
            </Text>
          </li>
        ))}
      </ol>
    </Paper>
  );
}

function FirstStep({ hasDiscovery }: { hasDiscovery: boolean }) {
  const isAllowed = useHasRole('member');
  return (
    <Paper component="section" p="md" mb="md" aria-label="Setup">
      <Title order={2}>Connect what you run</Title>
      <Text size="sm" c="var(--text-muted)" mt={2} mb="md">
        Pacekeeper finds the versions, compares them with upstream releases, and notifies you when you fall
        behind.
      </Text>
      {isAllowed ? (
        <>
          {hasDiscovery && <ContinueButton />}
          <ConnectChoices />
        </>
      ) : (
        <Text size="sm">
          Your role is read-only. Ask an administrator of your organization to connect it.
        </Text>
      )}
      <SampleDataOffer />
    </Paper>
  );
}

/** Link that continues the setup of the newest discovery job. */
function ContinueButton() {
  const { data } = useApi('listDiscoveryJobs', { query: { sort: '-created_at', limit: 1 } });
  const [job] = data?.items ?? [];
  return (
    job && (
      <ButtonLink to="/connect/$id" params={{ id: String(job.id) }} mb="md">
        Continue with {job.name}
      </ButtonLink>
    )
  );
}
