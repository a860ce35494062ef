import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationDeliveryPage() {
  return <PageHeader title="NotificationDelivery" />;
}
