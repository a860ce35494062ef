import { Radio, Stack, Text } from '@mantine/core';
import { type SourceType, sourceTypes } from '../../components/source-types.ts';
import classes from './source-type-field.module.css';

/** The kind of source, each with a line that says what it is for and how it is written. */
export function SourceTypeField({
  value,
  onChange,
  error,
}: {
  value?: SourceType;
  onChange(value: SourceType): void;
  error?: React.ReactNode;
}) {
  return (
    <Radio.Group
      label="Source type"
      value={value}
      onChange={(next) => onChange(next as SourceType)}
      error={error}
    >
      <Stack gap={4} mt={6}>
        {(Object.keys(sourceTypes) as SourceType[]).map((type) => (
          <Radio.Card key={type} value={type} className={classes.card} aria-label={sourceTypes[type].label}>
            <Radio.Indicator size="xs" />
            <span className={classes.words}>
              <Text span size="sm" fw={500}>
                {sourceTypes[type].label}
              </Text>
              <Text span size="xs" c="var(--text-muted)">
                {sourceTypes[type].about} <code>{sourceTypes[type].example}</code>
              </Text>
            </span>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
