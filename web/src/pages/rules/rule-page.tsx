import { Anchor, Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { countOf } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RuleForm } from './rule-form.tsx';
import { ruleTypes } from './rule-type-words.ts';
import { ThresholdScale } from './threshold-scale.tsx';
import { useToggleRule } from './use-toggle-rule.ts';

export default function RulePage() {
  const { id } = useParams({ strict: false });
  const rule = useApi('getRule', { path: { id: Number(id) } });
  return <Loaded query={rule}>{(found) => <RuleDetail rule={found} />}</Loaded>;
}

function RuleDetail({ rule }: { rule: Schemas['MonitoringRule'] }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateRule', { quiet: true, done: 'Saved.' });
  return (
    <>
      <PageHeader
        title={rule.name}
        about={rule.description}
        parent={{ to: '/rules', title: 'Rules' }}
        actions={<RuleActions rule={rule} onEdit={editing.open} />}
      />
      <Section title="Thresholds">
        <ThresholdScale thresholds={rule.thresholds} ruleType={rule.rule_type} />
        <Text size="sm" mt="xs" c="var(--text-muted)">
          {ruleTypes[rule.rule_type].about}
        </Text>
      </Section>
      <Section title="Details">
        <Facts
          facts={[
            ['State', rule.is_active ? <Mark tone="ok">Active</Mark> : <Mark tone="muted">Off</Mark>],
            ['Counts', ruleTypes[rule.rule_type].label],
            rule.days_basis !== null && [
              'Counted from',
              rule.days_basis === 'deployed_release'
                ? 'the date of the deployed release'
                : 'the first release above it',
            ],
            ['Pre-releases', rule.stable_only ? 'left out' : 'compared too'],
            [
              'New releases',
              rule.min_release_age_days === 0
                ? 'compared at once'
                : `compared after ${countOf(rule.min_release_age_days, 'day')}`,
            ],
            [
              'Used by',
              <Anchor
                key="used"
                component={Link}
                to="/alert-configs"
                search={{ rule_id: String(rule.id) } as never}
              >
                {countOf(rule.alert_config_count, 'alert configuration')}
              </Anchor>,
            ],
            ['Made', <RelativeTime key="made" at={rule.created_at} />],
            ['Changed', <RelativeTime key="changed" at={rule.updated_at} />],
          ]}
        />
      </Section>
      <Modal opened={isEditing} onClose={editing.close} title="Change the rule" size="lg">
        <RuleForm
          rule={rule}
          submit="Save"
          save={async (body) => {
            await update.mutateAsync({ path: { id: rule.id }, body });
            editing.close();
          }}
          onCancel={editing.close}
        />
      </Modal>
    </>
  );
}

function RuleActions({ rule, onEdit }: { rule: Schemas['MonitoringRule']; onEdit: () => void }) {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const { toggle, isToggling } = useToggleRule(rule);
  const leave = () => navigate({ to: '/rules' });
  const remove = useAction('deleteRule', { done: 'The rule is deleted.', leave });
  if (!useCan('member')) return null;
  const path = { id: rule.id };
  const onDelete = async () => {
    const goesAlong =
      rule.alert_config_count === 0
        ? ''
        : ` Its ${countOf(rule.alert_config_count, 'alert configuration')} and their alerts are deleted with it.`;
    const isSure = await confirm({
      title: `Delete "${rule.name}"?`,
      body: `This cannot be undone.${goesAlong}`,
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
        {rule.is_active ? 'Turn off' : 'Turn on'}
      </Button>
      <Button variant="default" c="var(--severity-critical)" onClick={() => void onDelete()}>
        Delete
      </Button>
    </>
  );
}
