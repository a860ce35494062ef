import { Text, TextInput } from '@mantine/core';
import { guessSource } from '../../../src/domain/source-types/guess-source.ts';
import { type SourceTypeId, sourceTypes } from '../../../src/domain/source-types/source-types.ts';

/** An artifact as it will be stored, or as it is typed where that can't be read yet. */
export function artifactOf(sourceType: SourceTypeId, typed: string): string {
  const artifact = sourceTypes[sourceType].normalizeArtifactName(typed);
  return artifact.ok ? artifact.artifactName : typed.trim();
}

/** What to follow, in any form that people paste, and how it will be stored. */
export function ArtifactField({
  label,
  sourceType,
  onSourceType,
  onChange,
  ...input
}: {
  label: string;
  sourceType: SourceTypeId;
  /** The kind of source that the pasted text is of; left out where the kind has been chosen. */
  onSourceType?: ((sourceType: SourceTypeId) => void) | undefined;
  value?: string;
  onChange(value: string): void;
  error?: React.ReactNode;
}) {
  const { shape, example } = sourceTypes[sourceType];
  const typed = input.value?.trim() ?? '';
  const stored = artifactOf(sourceType, typed);
  return (
    <div>
      <TextInput
        label={label}
        description={`Paste the project URL, or enter ${shape}.`}
        placeholder={example}
        required
        spellCheck={false}
        {...input}
        onChange={({ currentTarget: { value } }) => {
          onChange(value);
          const guess = guessSource(value);
          if (guess) onSourceType?.(guess.source_type);
        }}
      />
      <Text size="xs" mt={2} aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
        {stored !== typed && (
          <>
            Saved as <code>{stored}</code>
          </>
        )}
      </Text>
    </div>
  );
}
