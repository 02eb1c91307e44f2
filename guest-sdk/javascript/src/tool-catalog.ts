/** The tools that the model is offered. */

export { get, names } from "portcullis:hooks/tool-catalog@0.2.0";
