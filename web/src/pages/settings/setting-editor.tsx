import { Button, Group, NumberInput, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { ifMatchOf } from '../../components/edited.tsx';
import { RulePicker } from '../../components/entity-picker.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { TextLink } from '../../ui/links.tsx';
import { booleanSettingLabels, settingTitle } from './format-setting.ts';

type Setting = Schemas['Setting'];
type Kind = 'boolean' | 'number' | 'rule' | 'numbers' | 'texts' | 'text';
type Field = string | number | boolean | string[];

/** Edits the organization's value of a setting. The field type is derived from the setting's schema. */
export function SettingEditor({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const put = useAction('putOrgOverride', { quiet: true, done: 'Setting saved' });
  const kind = kindOf(setting);
  const form = useForm<{ value: Field }>({ initialValues: { value: toField(setting.value, kind) } });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ value }) => {
    const body = { value: fromField(value, kind) };
    await put.mutateAsync({ path: { key: setting.key }, body, ...ifMatchOf(setting) });
    onClose();
  });
  const label = settingTitle(setting.key);
  const { minimum, maximum } = setting.value_schema as { minimum?: number; maximum?: number };
  const props = form.getInputProps('value', { type: kind === 'boolean' ? 'checkbox' : 'input' });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        {kind === 'boolean' && (
          <Switch
            label={booleanSettingLabels(setting.key)[form.values.value ? 1 : 0]}
            aria-label={label}
            {...props}
          />
        )}
        {kind === 'number' && (
          <NumberInput aria-label={label} min={minimum} max={maximum} allowDecimal={false} {...props} />
        )}
        {kind === 'rule' && (
          <RulePicker
            aria-label={label}
            placeholder="None"
            clearable
            value={typeof form.values.value === 'number' ? form.values.value : null}
            onChange={(id) => form.setFieldValue('value', id ?? '')}
            error={fieldErrorOf(form.errors, 'value')}
          />
        )}
        {kind === 'numbers' && (
          <TextInput aria-label={label} description="Comma-separated whole numbers" {...props} />
        )}
        {kind === 'texts' && (
          // Values are split only at commas, because names can contain spaces.
          <TagsInput
            aria-label={label}
            description="Press Enter after each."
            splitChars={[',']}
            acceptValueOnBlur
            {...props}
            error={fieldErrorOf(form.errors, 'value')}
          />
        )}
        {kind === 'text' && <TextInput aria-label={label} {...props} />}
        {setting.key === 'login.require_two_factor' && form.values.value === true && <MembersWithout />}
        {error !== null && <ErrorNotice error={error} />}
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="compact-sm" loading={isBusy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows how many members the requirement would affect, before it's saved. */
function MembersWithout() {
  const { data } = useApi('listMembers', { query: { two_factor: 'disabled', limit: 1 } });
  if (!data) return null;
  if (data.total === 0)
    return <Text size="sm">All members who log in with a password use two-factor authentication.</Text>;
  const count = `${data.total.toLocaleString('en')}${data.total_is_exact ? '' : ' or more'}`;
  return (
    <Text size="sm">
      <TextLink to="/members" search={{ two_factor: 'disabled' }}>
        {data.total === 1 ? '1 member' : `${count} members`}
      </TextLink>{' '}
      {data.total === 1 ? "doesn't" : "don't"} use it yet. They must set it up before they can continue, even
      in open sessions.
    </Text>
  );
}

function kindOf({ key, value_schema }: Setting): Kind {
  if (key === 'default_rule_id') return 'rule';
  const types = [value_schema.type].flat();
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('integer')) return 'number';
  if (!types.includes('array')) return 'text';
  return (value_schema.items as { type?: string } | undefined)?.type === 'string' ? 'texts' : 'numbers';
}

function toField(value: unknown, kind: Kind): Field {
  if (kind === 'boolean') return value === true;
  if (kind === 'number' || kind === 'rule') return typeof value === 'number' ? value : '';
  if (kind === 'texts') return Array.isArray(value) ? value.map(String) : [];
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : '';
}

/**
 * Converts a field value for the request. Invalid numbers stay strings, which the server rejects with an
 * error message.
 */
function fromField(field: Field, kind: Kind): unknown {
  if (kind === 'number' || kind === 'rule') return field === '' ? null : field;
  if (kind !== 'numbers') return field;
  return String(field)
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
