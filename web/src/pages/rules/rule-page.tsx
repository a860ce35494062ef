import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { supportPhaseLabels } from '../../components/support-phase-labels.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { countOf } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RuleForm } from './rule-form.tsx';
import { ThresholdScale } from './threshold-scale.tsx';
import { useToggleRule } from './use-toggle-rule.ts';

const parent = { to: '/rules', title: 'Rules' } as const;

export default function RulePage() {
  const { id } = useParams({ from: '/shell/rules/$id' });
  const rule = useApi('getRule', { path: { id: Number(id) } });
  return (
    <Loaded query={rule} parent={parent}>
      {(found) => <RuleDetail rule={found} />}
    </Loaded>
  );
}

function RuleDetail({ rule }: { rule: Schemas['MonitoringRule'] }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateRule', { quiet: true, done: 'Rule saved' });
  return (
    <>
      <PageHeader
        title={rule.name}
        about={rule.description}
        parent={parent}
        actions={<RuleActions rule={rule} onEdit={editing.open} />}
      />
      <Section title="Thresholds">
        <ThresholdScale thresholds={rule.thresholds} ruleType={rule.rule_type} />
        <Text size="sm" mt="xs" c="var(--text-muted)">
          {ruleTypes[rule.rule_type].description}
        </Text>
      </Section>
      <Section title="Details">
        <Facts
          facts={[
            ['State', rule.is_active ? <Mark tone="ok">Enabled</Mark> : <Mark tone="muted">Disabled</Mark>],
            ['Measure', ruleTypes[rule.rule_type].label],
            rule.days_basis !== null && [
              'Days counted from',
              rule.days_basis === 'deployed_release' ? 'deployed release date' : 'first newer release',
            ],
            rule.known_exploited_days !== null && [
              'Known exploited from',
              countOf(rule.known_exploited_days, 'day'),
            ],
            rule.min_epss !== null && ['Minimum EPSS score', String(rule.min_epss)],
            rule.support_phase !== null && ['Support', supportPhaseLabels[rule.support_phase]],
            rule.support_phase === null && ['Pre-releases', rule.stable_only ? 'excluded' : 'included'],
            rule.support_phase === null && [
              'Grace period',
              rule.min_release_age_days === 0 ? 'none' : countOf(rule.min_release_age_days, 'day'),
            ],
            [
              'Used by',
              <TextLink key="used" to="/alert-configs" search={{ rule_id: String(rule.id) }}>
                {countOf(rule.alert_config_count, 'monitor')}{' '}
              </TextLink>,
            ],
            ['Created', <RelativeTime key="made" at={rule.created_at} />],
            ['Updated', <RelativeTime key="changed" at={rule.updated_at} />],
          ]}
        />
      </Section>
      <EditDialog
        title="Edit rule"
        size="lg"
        resource={rule}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <RuleForm rule={opened} {...form} />}
      </EditDialog>
    </>
  );
}

function RuleActions({ rule, onEdit }: { rule: Schemas['MonitoringRule']; onEdit: () => void }) {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const { toggle, isToggling } = useToggleRule(rule);
  const leave = () => navigate({ to: '/rules' });
  const remove = useAction('deleteRule', { done: 'Rule deleted', leave });
  if (!useHasRole('member')) return null;
  const path = { id: rule.id };
  const onDelete = async () => {
    const cascadeNote =
      rule.alert_config_count === 0
        ? ''
        : rule.alert_config_count === 1
          ? 'This also deletes its monitor and its alerts. '
          : `This also deletes its ${countOf(rule.alert_config_count, 'monitor')} and their alerts. `;
    const isSure = await confirm({
      title: `Delete "${rule.name}"?`,
      body: `${cascadeNote}This can't be undone.`,
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path });
  };
  return (
    <>
      <Button variant="default" onClick={onEdit}>
        Edit
      </Button>
      <Button variant="default" loading={isToggling} onClick={toggle}>
        {rule.is_active ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" c="var(--severity-critical)" onClick={() => void onDelete()}>
        Delete
      </Button>
    </>
  );
}
