import { Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { labelSourceTexts } from '../../../../src/domain/discovery/label-sources.ts';
import { isSameJson } from '../../../../src/domain/json/json-item.ts';
import { ownValue } from '../../../../src/domain/json/own-value.ts';
import type { SourceTypeId } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { sourceTypeOptions } from '../../components/source-type-options.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { FormModal } from '../../ui/dialog.tsx';
import { ProductField } from '../gather-jobs/lifecycle-job.tsx';
import { SourceOptionFields } from '../gather-jobs/source-option-fields.tsx';
import { sourceOptionValues, toSourceOptions } from '../gather-jobs/source-option-values.ts';

type Item = Schemas['DiscoveredItem'];

/** Every type except `deployed_versions`, because accepting an item creates no upstream source of that type. */
const offeredTypeOptions = sourceTypeOptions.filter(({ value }) => value !== 'deployed_versions');

/**
 * Edits the values of an item that its file doesn't contain: the source of its releases, its name, and its
 * labels.
 */
export function CorrectDialog({ item, isOpen, close }: { item: Item; isOpen: boolean; close: () => void }) {
  return (
    <FormModal opened={isOpen} onClose={close} title={`Correct ${item.name}`} size="lg">
      <CorrectForm key={`${item.id}/${item.revision}`} item={item} close={close} />
    </FormModal>
  );
}

/** Lists where the labels come from, so that a person can check the guesses. */
function LabelSources({ item: { labels, label_sources } }: { item: Item }) {
  const sources = Object.keys(labels).flatMap((key) => {
    const source = ownValue(label_sources, key);
    return source === undefined ? [] : [`${key}: ${labelSourceTexts[source]}`];
  });
  return (
    sources.length > 0 && (
      <Text size="sm" c="var(--text-muted)">
        {sources.join(', ')}
      </Text>
    )
  );
}

function CorrectForm({ item, close }: { item: Item; close: () => void }) {
  const update = useAction('updateDiscoveredItem', { quiet: true, done: 'Correction saved' });
  const form = useForm({
    initialValues: {
      source_type: (item.proposal.source_type ?? '') as SourceTypeId | '',
      artifact_name: item.proposal.artifact_name ?? '',
      source_options: sourceOptionValues(item.proposal.source_options),
      apply_to: 'artifact',
      name: item.name,
      labels: item.labels,
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    const { source_type, artifact_name, source_options } = item.proposal;
    const chosen =
      values.source_type === ''
        ? { source_type: null, artifact_name: null, source_options: {} }
        : {
            source_type: values.source_type,
            artifact_name: values.artifact_name,
            source_options: toSourceOptions(values.source_type, values.source_options),
          };
    const isSourceChanged =
      values.source_type !== (source_type ?? '') ||
      values.artifact_name !== (artifact_name ?? '') ||
      !isSameJson(chosen.source_options, source_options);
    await update.mutateAsync({
      path: { id: item.id },
      headers: { 'if-match': `"${item.revision}"` },
      body: {
        ...(values.name !== item.name && { name: values.name }),
        labels: values.labels,
        ...(isSourceChanged && { ...chosen, apply_to: values.apply_to as 'item' | 'artifact' }),
      },
    });
    close();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text size="sm" c="var(--text-muted)">
          {item.artifact.name} in {item.place.file}:{item.place.line}
        </Text>
        <Select
          label="Source type"
          placeholder="None: nothing to compare with"
          data={item.proposal.source_type === 'deployed_versions' ? sourceTypeOptions : offeredTypeOptions}
          clearable
          value={form.values.source_type === '' ? null : form.values.source_type}
          onChange={(value) => form.setFieldValue('source_type', (value ?? '') as SourceTypeId | '')}
          error={form.errors['source_type']}
        />
        {form.values.source_type === 'lifecycle' && (
          <ProductField
            value={form.values.artifact_name}
            onChange={(product) => form.setFieldValue('artifact_name', product)}
            error={form.errors['artifact_name']}
          />
        )}
        {form.values.source_type !== '' && form.values.source_type !== 'lifecycle' && (
          <TextInput
            label="Source"
            description="Where the releases are listed, such as ghcr.io/acme/web."
            required
            spellCheck={false}
            {...form.getInputProps('artifact_name')}
          />
        )}
        {form.values.source_type !== '' && (
          <SourceOptionFields form={form} sourceType={form.values.source_type} />
        )}
        <Radio.Group label="Use this source for" {...form.getInputProps('apply_to')}>
          <Stack gap={4} mt={4}>
            <Radio value="artifact" label="This artifact everywhere, also in later scans" />
            <Radio value="item" label="This place only" />
          </Stack>
        </Radio.Group>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <LabelEditor
          value={form.values.labels}
          onChange={(labels) => form.setFieldValue('labels', labels)}
          error={form.errors['labels']}
        />
        <LabelSources item={item} />
        <FormActions submit="Save" isBusy={isBusy} error={error} onCancel={close} />
      </Stack>
    </form>
  );
}
