import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { monoInput } from './mono-input.ts';

/** A pattern (RE2) with a text to try it on: whether it compiles, and what it would take out of the text. */
export function PatternField({
  label,
  description,
  placeholder,
  value = '',
  onChange,
  error,
  sample: givenSample = '',
  sampleLabel = 'Try it on',
}: {
  label: string;
  description: React.ReactNode;
  placeholder?: string;
  value?: string;
  onChange(value: string): void;
  error?: React.ReactNode;
  /** What stands in the trial field at first. */
  sample?: string;
  sampleLabel?: string;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const sample = typed ?? givenSample;
  return (
    <div>
      <Group align="flex-start" gap="sm">
        <TextInput
          label={label}
          description={description}
          placeholder={placeholder}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          error={error}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          spellCheck={false}
          styles={monoInput}
          flex="2 1 16rem"
        />
        {value !== '' && (
          <TextInput
            label={sampleLabel}
            value={sample}
            placeholder="v1.2.3"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            spellCheck={false}
            flex="1 1 10rem"
          />
        )}
      </Group>
      {value !== '' && <PatternResult pattern={value} sample={sample} />}
    </div>
  );
}

function PatternResult({ pattern, sample }: { pattern: string; sample: string }) {
  const [asked] = useDebouncedValue(`${pattern}\u0000${sample}`, 250);
  const [askedPattern = '', askedSample = ''] = asked.split('\u0000');
  const { data } = useApi(
    'validateRegex',
    { body: { pattern: askedPattern, ...(askedSample && { sample: askedSample }) } },
    { keepPrevious: true, enabled: askedPattern !== '' },
  );
  const [isFine, words] = inWords(data, askedSample);
  return (
    <Text
      size="xs"
      mt={4}
      mih="1.3em"
      c={isFine ? 'var(--text-muted)' : 'var(--severity-critical)'}
      aria-live="polite"
    >
      {words}
    </Text>
  );
}

function inWords(
  data: { valid: boolean; error: string | null; match: string | null } | undefined,
  sample: string,
): [boolean, string] {
  if (!data) return [true, 'Checking …'];
  if (!data.valid) return [false, data.error ?? 'This pattern does not compile.'];
  if (sample === '') return [true, 'The pattern compiles. Give a text to see what it finds.'];
  return data.match === null
    ? [false, `"${sample}" does not match: it would be left out.`]
    : [true, `"${sample}" gives ${data.match}.`];
}
