import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { lagHeading, sinceLabel } from '../../components/behind-by.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { ExplanationText } from '../../components/explanation-text.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { LatestVersion } from '../../components/latest-version.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ReleaseNotesView } from '../../components/release-notes/release-notes-view.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { reasonSentences } from '../../components/state-labels.ts';
import { SupportText } from '../../components/support/support-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { KnownVulnerabilities } from '../../components/vulnerability-section.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { behindOf, useRuleTypes } from '../software/fleet-columns.tsx';
import { AlertConfigForm } from './alert-config-form.tsx';
import { BadgeSection } from './badge-section.tsx';
import { useAlertConfigActions } from './use-alert-config-actions.ts';

type AlertConfig = Schemas['AlertConfig'];

const parent = { to: '/alert-configs', title: 'Monitors' } as const;

export default function AlertConfigPage() {
  const { id } = useParams({ from: '/shell/alert-configs/$id' });
  const config = useApi('getAlertConfig', { path: { id: Number(id) } });
  return (
    <Loaded query={config} parent={parent}>
      {(found) => <AlertConfigDetail config={found} />}
    </Loaded>
  );
}

function AlertConfigDetail({ config }: { config: AlertConfig }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateAlertConfig', { quiet: true, done: 'Monitor saved' });
  return (
    <>
      <PageHeader
        title={config.name}
        about={config.state_reason && reasonSentences(config.state_reason)}
        parent={parent}
        actions={<ConfigButtons config={config} onEdit={editing.open} />}
      />
      <Section title="Status">
        <Standing config={config} />
      </Section>
      <Section title="Why">
        <ExplanationText alertConfigId={config.id} />
      </Section>
      <KnownVulnerabilities config={config} />
      <Section title="Release notes">
        <ReleaseNotesView alertConfigId={config.id} />
      </Section>
      <Section title="Comparison">
        <Compared config={config} />
      </Section>
      <BadgeSection alertConfigId={config.id} />
      <EditDialog
        title="Edit monitor"
        size="lg"
        resource={config}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <AlertConfigForm config={opened} {...form} />}
      </EditDialog>
    </>
  );
}

function ConfigButtons({ config, onEdit }: { config: AlertConfig; onEdit: () => void }) {
  const navigate = useNavigate();
  const { toggle, isToggling, confirmDelete } = useAlertConfigActions(config, () =>
    navigate({ to: '/alert-configs' }),
  );
  const canWrite = useCan('member');
  return (
    <>
      {config.active_alert_id !== null && (
        <ButtonLink {...resourceLink('alert', config.active_alert_id)}>View alert</ButtonLink>
      )}
      {canWrite && (
        <>
          <Button variant="default" onClick={onEdit}>
            Edit
          </Button>
          <Button variant="default" loading={isToggling} onClick={() => void toggle()}>
            {config.is_active ? 'Disable' : 'Enable'}
          </Button>
          <Button variant="default" c="var(--severity-critical)" onClick={() => void confirmDelete()}>
            Delete
          </Button>
        </>
      )}
    </>
  );
}

function Standing({ config }: { config: AlertConfig }) {
  const ruleTypes = useRuleTypes();
  return (
    <Facts
      facts={[
        ['State', <ConfigState key="state" config={config} />],
        [
          'Severity',
          config.severity === null ? 'none' : <SeverityMark key="severity" severity={config.severity} />,
        ],
        ['Deployed', <VersionText key="deployed" version={config.deployed_version} none="unknown" />],
        ['Latest', <LatestVersion key="latest" config={config} />],
        config.latest_stable_version !== config.latest_version && [
          'Latest stable',
          <VersionText key="stable" version={config.latest_stable_version} />,
        ],
        [lagHeading(config.rule_type), behindOf(config, ruleTypes)],
        config.ends_at !== null && ['End of support', <RelativeTime key="end" at={config.ends_at} />],
        ['Support', <SupportText key="support" subject="alert_config_ids" id={config.id} none="unknown" />],
        config.behind_since !== null && [
          sinceLabel(ruleTypes.get(config.rule_id)),
          <RelativeTime key="since" at={config.behind_since} />,
        ],
        ['Last evaluated', <RelativeTime key="last" at={config.last_evaluated_at} none="never" />],
        ['Next threshold', <RelativeTime key="next" at={config.next_evaluation_at} none="none" />],
      ]}
    />
  );
}

function Compared({ config }: { config: AlertConfig }) {
  return (
    <Facts
      facts={[
        ['Version tracker', <PartLink key="scrape" kind="scrape_job" part={config.scrape_job} />],
        ['Upstream source', <PartLink key="gather" kind="gather_job" part={config.gather_job} />],
        ['Rule', <PartLink key="rule" kind="rule" part={config.rule} />],
        [
          'Labels',
          Object.keys(config.effective_labels).length === 0 ? (
            'none'
          ) : (
            <LabelList key="labels" labels={config.effective_labels} to="/alert-configs" />
          ),
        ],
        config.candidate_pattern !== null && [
          'Version filter',
          <Code key="pattern">{config.candidate_pattern}</Code>,
        ],
        config.ignored_versions.length > 0 && ['Ignored versions', config.ignored_versions.join(', ')],
        config.counted_versions.length > 0 && ['Counted versions', config.counted_versions.join(', ')],
        config.lifecycle_override !== null && [
          'Paid support',
          [`until ${config.lifecycle_override.ends_on}`, config.lifecycle_override.note]
            .filter(Boolean)
            .join(': '),
        ],
        config.ignored_vulnerabilities.length > 0 && [
          'Ignored vulnerabilities',
          config.ignored_vulnerabilities
            .map(({ id, note }) => (note === '' ? id : `${id} (${note})`))
            .join(', '),
        ],
        config.managed_by !== null && [
          'Created by',
          <>
            <TextLink {...resourceLink('discovery_job', config.managed_by.id)} inherit>
              {config.managed_by.name}
            </TextLink>
            {config.edited_fields.length === 0
              ? ', follows its item'
              : `, follows its item except for the ${editedText(config.edited_fields)}`}
          </>,
        ],
        ['Releases', <Releases key="releases" config={config} />],
        ['Created', <RelativeTime key="made" at={config.created_at} />],
      ]}
    />
  );
}

const fieldLabels: Readonly<Record<AlertConfig['edited_fields'][number], string>> = {
  name: 'name',
  rule_id: 'rule',
  gather_job_id: 'upstream source',
  is_active: 'enabled state',
};

function editedText(fields: AlertConfig['edited_fields']): string {
  return new Intl.ListFormat('en-US').format(fields.map((field) => fieldLabels[field]));
}

function PartLink({
  kind,
  part,
}: {
  kind: 'scrape_job' | 'gather_job' | 'rule';
  part: Schemas['NamedReference'];
}) {
  return (
    <TextLink {...resourceLink(kind, part.id)} inherit>
      {part.name}
    </TextLink>
  );
}

function Releases({ config }: { config: AlertConfig }) {
  return (
    <TextLink to="/releases" search={{ gather_job_id: String(config.gather_job_id) }} inherit>
      all
    </TextLink>
  );
}
