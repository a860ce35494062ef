import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { api } from '../api/session.ts';
import { ErrorNotice } from './error-notice.tsx';
import { monoInput } from './mono-input.ts';
import { PatternMatch } from './pattern-finding.tsx';

const maxSamples = 10;

interface PatternResult {
  sample: string | null;
  result: Schemas['ValidateRegexResponse'];
}

/**
 * Field for an RE2 pattern, with a Test button that checks whether the pattern compiles and shows its match
 * in each sample.
 */
export function PatternField({
  label,
  description,
  example,
  value = '',
  onChange,
  error,
  samples: defaultSamples = [],
  samplesLabel,
  whenMissed,
}: {
  label: string;
  description: React.ReactNode;
  /** Example of a pattern, shown after the description. */
  example?: string | undefined;
  value?: string;
  onChange(value: string): void;
  error?: React.ReactNode;
  /** Default samples, used until the user edits them. */
  samples?: readonly string[];
  /** Label of the samples field, such as "Sample tags". */
  samplesLabel: string;
  /** Consequence of a sample that doesn't match, such as "This tag is excluded." */
  whenMissed: string;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? defaultSamples.join('\n');
  const samples = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, maxSamples);
  const test = useMutation({ mutationFn: () => tryPattern(value, samples) });
  // Discard previous test results, because they don't apply to the new input.
  const change = (apply: () => void) => {
    test.reset();
    apply();
  };
  return (
    <Stack gap={6}>
      <TextInput
        label={label}
        description={
          example === undefined ? (
            description
          ) : (
            <>
              {description} For example, <code>{example}</code>.
            </>
          )
        }
        value={value}
        onChange={({ currentTarget }) => change(() => onChange(currentTarget.value))}
        error={error}
        spellCheck={false}
        styles={monoInput}
      />
      {value !== '' && (
        <>
          <Textarea
            label={samplesLabel}
            description={`One per line, up to ${maxSamples}. Leave empty to check only the pattern.`}
            value={text}
            onChange={({ currentTarget }) => change(() => setTyped(currentTarget.value))}
            autosize
            minRows={2}
            maxRows={maxSamples}
            spellCheck={false}
            styles={monoInput}
          />
          <Button
            variant="default"
            size="xs"
            w="fit-content"
            aria-label={`Test: ${label}`}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            Test
          </Button>
        </>
      )}
      <div aria-live="polite">
        {test.error && <ErrorNotice error={test.error} />}
        {test.data && <Findings findings={test.data} whenMissed={whenMissed} />}
      </div>
    </Stack>
  );
}

/** Sends one request per sample. The first response also reports whether the pattern compiles. */
async function tryPattern(pattern: string, samples: readonly string[]): Promise<PatternResult[]> {
  const findings: PatternResult[] = [];
  for (const sample of samples.length === 0 ? [null] : samples) {
    const result = await api.call('validateRegex', { body: { pattern, ...(sample !== null && { sample }) } });
    findings.push({ sample, result });
    if (!result.valid) break;
  }
  return findings;
}

function Findings({ findings, whenMissed }: { findings: readonly PatternResult[]; whenMissed: string }) {
  return findings.map(({ sample, result }) => (
    <PatternMatch key={sample ?? ''} sample={sample} result={result} whenMissed={whenMissed} />
  ));
}
