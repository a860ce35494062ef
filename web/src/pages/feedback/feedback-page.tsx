import { Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { PageHeader } from '../../ui/page-header.tsx';

type Category = NonNullable<Schemas['CreateFeedbackRequest']['category']>;

export default function FeedbackPage() {
  const [isSent, setSent] = useState(false);
  const send = useAction('createFeedback', { quiet: true });
  const form = useForm({
    initialValues: { message: '', category: 'idea' as Category },
    onValuesChange: () => setSent(false),
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    await send.mutateAsync({ body });
    form.reset();
    setSent(true);
  });
  return (
    <>
      <PageHeader title="Feedback" about="Tell the operators of this server what to improve." />
      <form onSubmit={onSubmit}>
        <Stack gap="sm" maw={640}>
          <Select
            label="Type"
            data={[
              { value: 'idea', label: 'Idea' },
              { value: 'bug', label: 'Problem' },
              { value: 'other', label: 'Other' },
            ]}
            allowDeselect={false}
            {...form.getInputProps('category')}
          />
          <Textarea
            label="Message"
            required
            autosize
            minRows={5}
            maxLength={5_000}
            {...form.getInputProps('message')}
          />
          {isSent && (
            <Text role="status" size="sm">
              Feedback sent. Thank you!
            </Text>
          )}
          <FormActions submit="Send feedback" isBusy={isBusy} error={error} />
        </Stack>
      </form>
    </>
  );
}
