export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
