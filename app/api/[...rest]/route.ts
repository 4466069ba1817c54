import { nowhere } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH } = nowhere;
