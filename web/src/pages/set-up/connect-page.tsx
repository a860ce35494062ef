import { Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ownValue } from '../../../../src/domain/json/own-value.ts';
import { useAction } from '../../api/use-action.ts';
import { SampleDataOffer } from '../../components/sample-data.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DiscoveryJobForm } from '../discovery/discovery-job-form.tsx';
import { ClusterForm, HostForm } from '../discovery/live-job-form.tsx';
import { ConnectChoices } from './connect-choices.tsx';
import classes from './set-up.module.css';
import { UnfinishedSection } from './unfinished-section.tsx';

const kinds = {
  repository: {
    Form: DiscoveryJobForm,
    title: 'Connect a Git repository',
    about: 'An agent reads the repository and lists the versions in it. Nothing is monitored yet.',
    submit: 'Scan repository',
  },
  cluster: {
    Form: ClusterForm,
    title: 'Connect a cluster',
    about:
      'An agent in the cluster lists its workloads and releases. The next page shows the command that installs it.',
    submit: 'Connect cluster',
  },
  host: {
    Form: HostForm,
    title: 'Connect a container host',
    about: 'An agent on the host lists the images of its containers. The next page shows how to run it.',
    submit: 'Connect host',
  },
} as const;

/** First step of the setup: where Pacekeeper finds what is deployed. */
export default function ConnectPage() {
  const { kind: chosen = '' } = useSearch({ from: '/shell/connect' });
  const navigate = useNavigate();
  const create = useAction('createDiscoveryJob', { quiet: true });
  const kind = ownValue(kinds, chosen);
  if (kind === undefined)
    return (
      <>
        <PageHeader
          title="Connect"
          about="Pacekeeper finds the versions that you run. You then choose a rule and who gets notified."
        />
        <ConnectChoices />
        <UnfinishedSection />
        <Text size="sm" c="var(--text-muted)" mt="md">
          To follow all repositories of a GitHub, GitLab, or Gitea organization, use{' '}
          <TextLink to="/discovery/new-organization" inherit underline="always">
            Add organization
          </TextLink>
          .
        </Text>
        <SampleDataOffer />
      </>
    );
  const { Form, title, about, submit } = kind;
  return (
    <div className={classes.page}>
      <PageHeader title={title} about={about} parent={{ to: '/connect', title: 'Connect' }} />
      <Form
        key={chosen}
        isShort
        submit={submit}
        save={async (body) => {
          const { id } = await create.mutateAsync({ body });
          await navigate({ to: '/connect/$id', params: { id: String(id) } });
        }}
        onCancel={() => void navigate({ to: '/connect' })}
      />
    </div>
  );
}
