import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { Section } from '../../ui/facts.tsx';
import { countOf } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { RuleForm } from '../rules/rule-form.tsx';
import { ThresholdScale } from '../rules/threshold-scale.tsx';

/** Shows the rule of a monitor, and edits it in place. */
export function RulePanel({ ruleId }: { ruleId: number }) {
  const rule = useApi('getRule', { path: { id: ruleId } });
  return (
    <Section id="rule" title="Rule" actions={rule.data && <EditRule rule={rule.data} />}>
      <Loaded query={rule}>
        {({ id, name, rule_type, thresholds, is_active, alert_config_count }) => (
          <>
            <TextLink {...resourceLink('rule', id)} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </TextLink>
            <ThresholdScale thresholds={thresholds} ruleType={rule_type} />
            <Text size="xs" mt="xs" c="var(--text-muted)">
              {ruleTypes[rule_type].label}. {is_active ? '' : 'The rule is disabled. '}
              {alert_config_count === 1
                ? 'Only this monitor uses it.'
                : `A change affects all ${countOf(alert_config_count, 'monitor')} that use it.`}
            </Text>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EditRule({ rule }: { rule: Schemas['MonitoringRule'] }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateRule', { quiet: true, done: 'Rule saved' });
  if (!useHasRole('member')) return null;
  return (
    <>
      <Button variant="default" size="xs" aria-label="Edit rule" onClick={editing.open}>
        Edit
      </Button>
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
