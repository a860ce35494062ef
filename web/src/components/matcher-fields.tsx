import { Button, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { RemoveButton } from '../ui/remove-button.tsx';

type Matcher = Schemas['LabelMatcher'];

const operators = [
  { value: '=', label: 'is' },
  { value: '!=', label: 'is not' },
  { value: '=~', label: 'matches' },
  { value: '!~', label: 'does not match' },
];

/** Fields for conditions on the labels of an alert. */
export function MatcherFields({
  matchers,
  onChange,
  errorAt,
}: {
  matchers: readonly Matcher[];
  onChange: (matchers: Matcher[]) => void;
  /** Returns the server's error for a condition. */
  errorAt: (index: number) => React.ReactNode;
}) {
  const change = (index: number, part: Partial<Matcher>) =>
    onChange(matchers.map((matcher, at) => (at === index ? { ...matcher, ...part } : matcher)));
  return (
    <Input.Wrapper
      labelElement="div"
      label="Labels"
      description='All conditions must match. A missing label counts as empty. "matches" tests the whole value against a regular expression (RE2).'
    >
      <Stack gap="xs" mt={4}>
        {matchers.map(({ label, operator, value }, index) => (
          // Use the index as the key, because rows have no other identity.
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <Group gap="xs" align="flex-start" flex={1} miw={0}>
              <TextInput
                aria-label={`Label ${index + 1}`}
                placeholder="Label"
                required
                value={label}
                onChange={({ currentTarget }) => change(index, { label: currentTarget.value })}
                flex="1 1 7rem"
                miw={0}
              />
              <NativeSelect
                aria-label={`Operator ${index + 1}`}
                data={operators}
                value={operator}
                onChange={({ currentTarget }) =>
                  change(index, { operator: currentTarget.value as Matcher['operator'] })
                }
                flex="1 1 8rem"
                miw={0}
              />
              <TextInput
                aria-label={`Value ${index + 1}`}
                placeholder={operator.includes('~') ? 'Pattern' : 'Value'}
                value={value}
                error={errorAt(index)}
                onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
                flex="1 1 10rem"
                miw={0}
              />
            </Group>
            <RemoveButton
              label={`Remove condition ${index + 1}`}
              onClick={() => onChange(matchers.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        {matchers.length < 20 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...matchers, { label: '', operator: '=', value: '' }])}
            style={{ alignSelf: 'flex-start' }}
          >
            Add condition
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
