import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Radio,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { AlertConfigsPicker } from '../../components/alert-config-picker.tsx';
import { ChannelsPicker, useChannelOptions } from '../../components/channel-picker.tsx';
import { alertEventOptions } from '../../components/event-type.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { MatcherFields } from '../../components/matcher-fields.tsx';
import { severityOptions } from '../../components/severity.tsx';
import { MessageSimulation } from '../../components/simulation/message-simulation.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { describeMissingChannels, useChannelsOf } from './channels-of-rule.ts';
import { formatCriteria } from './format-criteria.ts';

type Rule = Schemas['NotificationRule'];
type RuleValues = Required<Omit<Schemas['CreateNotificationRuleRequest'], 'is_active'>>;

/**
 * Creates or edits a notification rule.
 * @param save Resolves when the server has stored the rule.
 */
export function NotificationRuleForm({
  rule,
  priority = 100,
  save,
  submit,
  onCancel,
}: {
  rule?: Rule;
  /** Priority of a new rule. */
  priority?: number;
  save: (values: RuleValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const start = rule ?? bodyDefaults.createNotificationRule;
  const form = useForm({
    initialValues: {
      name: rule?.name ?? '',
      description: start.description,
      priority: rule?.priority ?? priority,
      severities: start.severities,
      event_types: start.event_types,
      label_matchers: start.label_matchers,
      rule_ids: start.rule_ids,
      alert_config_ids: start.alert_config_ids,
      usesDefault: rule ? rule.channel_ids === null : false,
      channel_ids: rule?.channel_ids ?? [],
      route_to_owner: start.route_to_owner,
      stop_processing: start.stop_processing,
    },
  });
  const rules = useApi('listRulesDropdown');
  const channels = useChannelOptions();
  const { values, errors } = form;
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ usesDefault, ...all }) => {
    if (!usesDefault && all.channel_ids.length === 0) {
      form.setFieldError('channel_ids', 'Select at least one channel, or use the default channel.');
      return;
    }
    const label_matchers = all.label_matchers.map((matcher) => ({ ...matcher, label: matcher.label.trim() }));
    await save({ ...all, label_matchers, channel_ids: usesDefault ? null : all.channel_ids });
  });
  const simulated = simulatedRule(values, rule);
  const nameOfRule = (id: number) => rules.data?.find((each) => each.id === id)?.name;
  const own = values.usesDefault
    ? 'the default channel'
    : values.channel_ids
        .map((id) => channels.find(({ value }) => value === String(id))?.label ?? `${id}`)
        .join(', ') || 'no channel yet';
  const notified = values.route_to_owner ? `the owner's channels, otherwise ${own}` : own;
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={680}>
        <TextInput
          label="Name"
          description="For example, Critical alerts to the platform team."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
        <Checkbox.Group
          label="Severities"
          description="Leave empty for all."
          value={values.severities}
          onChange={(chosen) => form.setFieldValue('severities', chosen as Rule['severities'])}
          error={errors['severities']}
        >
          <Group mt={6}>
            {severityOptions.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <MultiSelect
          label="Events"
          description="Leave empty for all."
          placeholder={values.event_types.length === 0 ? 'All events' : undefined}
          data={alertEventOptions}
          {...form.getInputProps('event_types')}
        />
        <MatcherFields
          matchers={values.label_matchers}
          onChange={(matchers) => form.setFieldValue('label_matchers', matchers)}
          errorAt={(index) =>
            errors[`label_matchers.${index}.value`] ??
            errors[`label_matchers.${index}.label`] ??
            errors[`label_matchers.${index}`]
          }
        />
        <MultiSelect
          label="Rules"
          description="Leave empty for all."
          placeholder={values.rule_ids.length === 0 ? 'All rules' : undefined}
          data={(rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.rule_ids.map(String)}
          onChange={(ids) => form.setFieldValue('rule_ids', ids.map(Number))}
          error={errors['rule_ids']}
          searchable
          nothingFoundMessage="No matching rules"
        />
        <AlertConfigsPicker
          label="Monitors"
          description="Leave empty for all."
          placeholder="All monitors"
          value={values.alert_config_ids}
          onChange={(ids) => form.setFieldValue('alert_config_ids', ids)}
          error={errors['alert_config_ids']}
        />
        <Switch
          label="Send to the owner's channels"
          description={`Notify the channels whose "Owners" list the alert's owner, which is the value of its owner label.`}
          checked={values.route_to_owner}
          onChange={({ currentTarget: { checked } }) =>
            form.setValues({
              route_to_owner: checked,
              // Using the default channel as the fallback makes the rule valid without a selected channel.
              ...(checked && values.channel_ids.length === 0 && { usesDefault: true }),
            })
          }
        />
        <Radio.Group
          label={values.route_to_owner ? 'If no channel lists the owner, send to' : 'Send to'}
          value={values.usesDefault ? 'default' : 'these'}
          onChange={(value) => form.setFieldValue('usesDefault', value === 'default')}
        >
          <Group mt={6}>
            <Radio value="these" label="Specific channels" />
            <Radio value="default" label="Default channel" />
          </Group>
        </Radio.Group>
        {!values.usesDefault && (
          <ChannelsPicker
            label="Channels"
            value={values.channel_ids}
            onChange={(ids) => form.setFieldValue('channel_ids', ids)}
            error={errors['channel_ids']}
          />
        )}
        <MissingChannelsWarning ids={values.usesDefault ? null : values.channel_ids} />
        <Switch
          label="Stop processing"
          description="If this rule matches, skip the rules after it."
          {...form.getInputProps('stop_processing', { type: 'checkbox' })}
        />
        <NumberInput
          label="Priority"
          description="Rules are evaluated in ascending order."
          min={0}
          max={1_000_000}
          allowDecimal={false}
          required
          {...form.getInputProps('priority')}
        />
        <Text size="sm" c="var(--text-muted)" aria-live="polite">
          Summary: {formatCriteria(values, nameOfRule)} → {notified}
        </Text>
        <MessageSimulation simulated={simulated} />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Warning about the chosen channels that are disabled, or about a missing default channel. */
function MissingChannelsWarning({ ids }: { ids: readonly number[] | null }) {
  const channels = useChannelsOf(ids);
  if (channels === undefined || describeMissingChannels(ids, channels) === null) return null;
  const names = channels.filter(({ is_active }) => !is_active).map(({ name }) => name);
  return (
    <Text size="sm" c="var(--severity-moderate)" role="status">
      {names.length === 0
        ? 'No channel is the default channel.'
        : names.length === 1
          ? `${names[0]} is disabled, so it doesn't receive messages.`
          : `These channels are disabled, so they don't receive messages: ${names.join(', ')}.`}
    </Text>
  );
}

/** Returns the simulation request for the form values, or `null` if they're incomplete. */
function simulatedRule(
  {
    usesDefault,
    channel_ids,
    name: _name,
    description: _description,
    ...values
  }: RuleValues & { usesDefault: boolean },
  rule: Rule | undefined,
): Schemas['SimulateNotificationRulesRequest'] | null {
  const isComplete = usesDefault || (channel_ids ?? []).length > 0;
  if (!isComplete || values.label_matchers.some(({ label }) => label.trim() === '')) return null;
  return {
    notification_rule: { ...values, channel_ids: usesDefault ? null : channel_ids },
    ...(rule && { notification_rule_id: rule.id }),
  };
}
