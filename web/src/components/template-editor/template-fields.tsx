import { Code, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { toUiWords } from '../ui-words.ts';
import classes from './template-editor.module.css';

/** List of the variables that a template can use. Clicking a variable inserts it at the cursor. */
export function TemplateFields({
  fields,
  onInsert,
}: {
  fields: readonly Schemas['NotificationTemplateField'][];
  /** Callback that inserts text. Omit it to disable insertion. */
  onInsert?: (text: string) => void;
}) {
  const [sought, setSought] = useState('');
  const shown = fields.filter(({ name, description }) =>
    `${name} ${toUiWords(description)}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  return (
    <>
      <TextInput
        aria-label="Search variables"
        placeholder="Search variables"
        size="xs"
        value={sought}
        onChange={({ currentTarget: { value } }) => setSought(value)}
        mb="xs"
      />
      <ul className={classes.fields} aria-label="Variables">
        {shown.map(({ name, type, description, example }) => (
          <li key={name}>
            <UnstyledButton
              className={classes.field}
              disabled={!onInsert}
              title={onInsert ? `Insert {{ ${name} | json }}` : undefined}
              onClick={() => onInsert?.(`{{ ${name} | json }}`)}
            >
              <Code>{name}</Code> <span className={classes.type}>{type}</span>
              <Text span display="block" size="xs" c="var(--text-muted)">
                {toUiWords(description)} Example{' '}
                <span className={classes.example}>{JSON.stringify(example)}</span>
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <Text size="sm" c="var(--text-muted)">
          No matching variables
        </Text>
      )}
    </>
  );
}
