import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { ifMatchOf } from '../../components/edited.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import {
  PatternRows,
  PatternTest,
  toCustomExtractors,
  toPatternRows,
} from '../discovery/custom-pattern-fields.tsx';

/** Edits the custom patterns of the organization. */
export function PatternsForm({ setting, onClose }: { setting: Schemas['Setting']; onClose: () => void }) {
  const put = useAction('putOrgOverride', { quiet: true, done: 'Setting saved' });
  const stored = setting.value as Schemas['CustomExtractor'][];
  const form = useForm({ initialValues: { value: toPatternRows(stored) } });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ value }) => {
    const body = { value: toCustomExtractors(value) };
    await put.mutateAsync({ path: { key: setting.key }, body, ...ifMatchOf(setting) });
    onClose();
  });
  const { value } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <PatternRows
          field="value"
          rows={value}
          errors={form.errors}
          onChange={(rows) => form.setValues({ value: rows })}
        />
        {value.length > 0 && (
          <PatternTest
            request={() => ({ custom_extractors: [], organization_extractors: toCustomExtractors(value) })}
          />
        )}
        <FormActions submit="Save" isBusy={isBusy} error={error} onCancel={onClose} />
      </Stack>
    </form>
  );
}
